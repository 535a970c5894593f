import { connect } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { arrivesWithin, listen } from '../src/node-http.ts';

async function scene(ms: number) {
  const app = new Hono();
  app.use(arrivesWithin(ms));
  app.post('/', async (call) => call.text(String((await call.req.text()).length)));
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
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
  it('is answered when it has arrived in time', async () => {
    const { send, close } = await scene(2_000);
    expect(await send('whole', 5)).toMatch(/^HTTP\/1.1 200 /);
    await close();
  });

  it('is cut off when it stays incomplete beyond the deadline', async () => {
    const { send, close } = await scene(50);
    expect(await send('half', 5)).not.toContain('200');
    await close();
  });
});
