/**
 * The body of a request, at limit `limit` bytes. Above it calls `refuse`, which throws: by Content-Length before anything is
 * read, else while reading. The rest stays unread, as cancelling the stream would close the connection before the
 * response is sent.
 */
export async function readWithin(request: Request, limit: number, refuse: () => never): Promise<ArrayBuffer> {
  const { headers, method } = request;
  if (method === 'GET' || method === 'HEAD') return new ArrayBuffer(0);
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limit) refuse();
  // Node ends a body at its Content-Length, unless it is chunked.
  if (length !== null && !headers.has('transfer-encoding')) return request.arrayBuffer();
  return request.body ? collect(request.body, limit, refuse) : new ArrayBuffer(0);
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number, refuse: () => never) {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > limit) refuse();
    chunks.push(next.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks).arrayBuffer();
}
