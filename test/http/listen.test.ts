import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { receivedWithin } from '../../src/http/request-limits.ts';

async function scene(ms: number) {
  const app = new Hono();
  app.use(receivedWithin(ms));
  app.post('/', async (call) => call.text(String((await call.req.text()).length)));
  const { port, close } = await listen(app, {
    port: 0,
    host: '127.0.0.1',
    limits: { request: ms, requestsAtOnce: 10, socketsNetwork: 0 },
  });
  const send = (body: string, length: number) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
        if (answer.includes('\r\n\r\n')) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
    });
  return { send, close };
}

describe('a request', () => {
  it('is answered if it arrives in time', async () => {
    const { send, close } = await scene(2_000);
    expect(await send('whole', 5)).toMatch(/^HTTP\/1.1 200 /);
    await close();
  });

  it('is cut off if it is incomplete at the deadline', async () => {
    const { send, close } = await scene(50);
    expect(await send('half', 5)).not.toContain('200');
    await close();
  });
});

describe('a connection', () => {
  it('stays open for the next request, and says for how long', async () => {
    const app = new Hono().get('/', (call) => call.text('here'));
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1', keepAlive: 1_500 });
    const socket = connect(port, '127.0.0.1');
    const answers: string[] = [];
    socket.on('data', (chunk) => answers.push(String(chunk)));
    const closed = once(socket, 'close').then(() => performance.now());
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers.join('')).toMatch(/\r\nKeep-Alive: timeout=1\r\n.*here$/is);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers.join('').match(/here/g)).toHaveLength(2);
    const answered = performance.now();
    expect((await closed) - answered).toBeGreaterThan(1_000);
    await close();
  });

  it('is closed at once when the server stops', async () => {
    const app = new Hono().get('/', (call) => call.text('here'));
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    expect(headers.get('keep-alive')).toBe('timeout=125');
    await close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});

describe('a response', () => {
  it('is aborted if the client does not read it', async () => {
    const app = new Hono();
    const givenUp = new Promise<void>((resolve) => {
      const pull = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new Uint8Array(2 ** 16));
      app.get('/', (call) => call.body(new ReadableStream({ pull, cancel: () => resolve() })));
    });
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1', idleTimeout: 200 });
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await givenUp;
    socket.destroy();
    await close();
  });
});
