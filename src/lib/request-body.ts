/**
 * The bytes of a request's body. Where its Content-Length is more than `most`, calls `refuse`, which throws, before any of
 * it is read; a body without one is counted while it is read. What is left unread stays on the connection: cancelling the
 * stream would end the connection before the refusal is sent.
 */
export async function readWithin(request: Request, most: number, refuse: () => never): Promise<ArrayBuffer> {
  const { headers, method } = request;
  if (method === 'GET' || method === 'HEAD') return new ArrayBuffer(0);
  const length = headers.get('content-length');
  if (length !== null && Number(length) > most) refuse();
  // Node ends a body at its Content-Length, unless it is chunked.
  if (length !== null && !headers.has('transfer-encoding')) return request.arrayBuffer();
  return request.body ? collect(request.body, most, refuse) : new ArrayBuffer(0);
}

async function collect(stream: ReadableStream<Uint8Array>, most: number, refuse: () => never) {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > most) refuse();
    chunks.push(next.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks).arrayBuffer();
}
