import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** How often the processes are asked whether they are ready, in ms. */
const LOOK = 100;

/** The least that stands before several processes: each request goes to one that says it is ready, in turn. Nothing is tried twice. */
export async function healthyProxy(ports: number[]) {
  let ready: number[] = [];
  let turn = 0;
  const look = async () => {
    const answers = await Promise.all(
      ports.map((port) =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        ),
      ),
    );
    ready = ports.filter((_, index) => answers[index]);
  };
  await look();
  const looking = setInterval(look, LOOK);
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, ready[++turn % ready.length]));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    /** Resolves once so many are ready. */
    async sees(count: number) {
      while (ready.length < count) await new Promise((resolve) => setTimeout(resolve, LOOK));
    },
    async close() {
      clearInterval(looking);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number | undefined): void {
  const { method, url: path, headers } = incoming;
  const failed = () => outgoing.writeHead(502).end('{}');
  if (port === undefined) return void failed();
  const upstream = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode as number, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', failed);
  incoming.pipe(upstream);
}
