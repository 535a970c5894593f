const encoder = new TextEncoder();

/** A body in UTF-8 whose pieces are made when they are read. An error in them breaks the connection off. */
export function textStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = pieces[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    const { done, value } = await source.next();
    if (done) controller.close();
    else controller.enqueue(encoder.encode(value));
  };
  const cancel = async () => void (await source.return?.());
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
