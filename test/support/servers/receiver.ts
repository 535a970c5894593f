import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the webhook's selection
  json: any;
}

/** A receiver of webhooks on this machine, which answers as the test says. */
export async function newReceiver(
  answer: (response: ServerResponse) => void = (response) => response.end('ok'),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    received.push({ headers: request.headers, body, json: JSON.parse(body) });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the README tells receivers to do. */
export function isGenuine({ headers, body }: Received, secret: string, toleranceSeconds = 300): boolean {
  const parts = String(headers['docgraph-signature'])
    .split(',')
    .map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const fresh = Math.abs(Date.now() / 1_000 - Number(t)) <= toleranceSeconds;
  return fresh && parts.some(([name, value]) => name === 'v1' && value === expected);
}
