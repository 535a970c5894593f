import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A server in place of Gotenberg, which answers as the test says, and the names of the files that it got. */
export async function newGotenberg(answer: (response: ServerResponse, turn: number) => void) {
  const names: string[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    names.push(/filename="([^"]*)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '');
    paths.push(request.url);
    answer(response, names.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, names, paths, close };
}
