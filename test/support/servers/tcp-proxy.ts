import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Milliseconds that `delay` takes for each direction. */
const DELAY = 350;

/**
 * `pass` hands everything on; `delay` does so later, as a server does that has much to do; `hold` takes it and answers nothing, as a network
 * that lost its way; `holdNew` does so with connections that begin then, as a server that has no time to start processes; `refuse` hangs up.
 */
export type Mode = 'pass' | 'delay' | 'hold' | 'holdNew' | 'refuse';

export interface TcpProxy {
  port: number;
  /** How often the client had an answer before it sent something again, on all connections so far: what each waits for. */
  roundTrips(): number;
  /** From now on; `refuse` also ends what is open. */
  mode(mode: Mode): void;
  /** Breaks off what is open (RST), as a machine that crashes does. */
  cut(): void;
  close(): Promise<void>;
}

/** One between whoever uses `url` and the server at `address`. */
export async function proxyBefore(address: string): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(address);
  const proxy = await tcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.href };
}

/** Stands between a server and what it needs, and can take that away. */
async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: Mode = 'pass';
  let roundTrips = 0;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
  };
  const server = createServer((client) => {
    keep(client);
    if (mode === 'refuse') return client.resetAndDestroy();
    if (mode === 'holdNew') return;
    const upstream = connect(target);
    keep(upstream);
    let isAnswered = true;
    client.on('data', () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    upstream.on('data', () => {
      isAnswered = true;
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => {
        if (mode === 'delay') setTimeout(() => to.write(chunk), DELAY);
        else if (mode !== 'hold') to.write(chunk);
      });
      from.on('close', () => mode === 'hold' || to.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    roundTrips: () => roundTrips,
    mode(next) {
      // What was swallowed does not come back: those connections are as good as dead.
      if (next === 'refuse' || (mode === 'hold' && next === 'pass')) end();
      mode = next;
    },
    cut() {
      for (const socket of open) socket.resetAndDestroy();
    },
    async close() {
      server.close();
      end();
      await once(server, 'close');
    },
  };
}
