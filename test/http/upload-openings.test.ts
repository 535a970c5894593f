import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../src/http/listen.ts';
import { type RawConnection, startRequest } from '../support/servers/trickle.ts';

let running: Listener | undefined;
const sockets: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await running?.close();
});

/** A server that opens an upload so, by default in five milliseconds, and then reads what comes of its body. */
async function serve(open: () => Promise<unknown> = () => sleep(5)) {
  const [opened, current]: [string[], Set<string>] = [[], new Set()];
  let most = 0;
  const app = new Hono<{ Bindings: HttpBindings }>().put('/uploads/:name', async (call) => {
    const name = call.req.param('name');
    opened.push(name);
    most = Math.max(most, current.add(name).size);
    await open();
    current.delete(name);
    try {
      for await (const _ of call.env.incoming.iterator({ destroyOnReturn: false }));
    } catch {} // a client that leaves
    return call.text('stored');
  });
  running = await listen(app as unknown as Hono, { port: 0, host: '127.0.0.1', trustProxy: 1 });
  const { port } = running;
  const send = (name: string, network = '192.0.2.1') => {
    const headers = { 'X-Forwarded-For': network };
    const connection = startRequest(port, { method: 'PUT', path: `/uploads/${name}`, headers }, 3);
    sockets.push(connection);
    return connection;
  };
  return { opened, most: () => most, send };
}

const NAMES = Array.from({ length: 40 }, (_, index) => `upload-${index}`);

describe('uploads of one network that begin at once', () => {
  it('are opened one at a time, and all received', async () => {
    const { opened, most, send } = await serve(async () => {
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    });
    const all = NAMES.map((name) => send(name));
    await expect.poll(() => opened.length).toBe(NAMES.length);
    for (const { socket } of all) socket.write('xx');
    await expect.poll(() => all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(most()).toBe(1);
  });

  it('do not delay those of another network', async () => {
    const { opened, send } = await serve();
    for (const name of NAMES) send(name);
    await expect.poll(() => opened.length).toBeGreaterThan(0);
    send('other', '198.51.100.1');
    await expect.poll(() => opened).toContain('other');
    expect(opened.indexOf('other')).toBeLessThan(NAMES.length);
  });

  it('are not opened where the client has left meanwhile', async () => {
    const { opened, send } = await serve();
    const all = NAMES.map((name) => send(name));
    await expect.poll(() => opened.length).toBeGreaterThan(0);
    all.at(-1)?.socket.destroy();
    send('next');
    await expect.poll(() => opened).toContain('next');
    expect(opened).not.toContain(NAMES.at(-1));
  });

  it('do not wait for a store that does not answer', async () => {
    const { most, send } = await serve(() => new Promise(() => {}));
    for (const name of NAMES) send(name);
    await expect.poll(most).toBe(NAMES.length);
  });
});
