import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ChildCall, ChildFailed, ChildPool } from '../../../src/files/child/child-pool.ts';
import { Busy, FairSlots } from '../../../src/lib/fair-slots.ts';

const CHILD = new URL('./child-pool-task.js', import.meta.url);
const LIMITS = { time: 20_000, memory: 300 * 2 ** 20 };

const newPool = () => new ChildPool<string, unknown>(CHILD, new FairSlots({ slots: 2 }), 128);
const ask = (
  pool: ReturnType<typeof newPool>,
  task: string,
  call: Partial<ChildCall> = {},
  limits = LIMITS,
) => pool.ask(task, limits, { key: 'org', ...call });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const ends = async (pid: number) => {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('a child process that parses untrusted bytes', () => {
  it('is reused for the next task', async () => {
    const pool = newPool();
    expect(await ask(pool, 'pid')).toBe(await ask(pool, 'pid'));
  });

  it('gets nothing of the environment', async () => {
    expect(await ask(newPool(), 'environment')).toEqual([]);
  });

  it.each([
    ['loop', 'time'],
    ['crash', 'died'],
    ['throw', 'died'],
  ])('fails a task that does %s, and the next one is answered', async (task, reason) => {
    const pool = newPool();
    const first = await ask(pool, 'pid');
    await expect(ask(pool, task, {}, { ...LIMITS, time: 500 })).rejects.toMatchObject({ reason });
    await ends(first as number);
    expect(await ask(pool, 'pid')).not.toBe(first);
  });

  it.runIf(process.platform === 'linux')(
    'is refused as busy where it had too little of the processor (needs Linux)',
    async () => {
      const onRequest = () => new Promise(() => {});
      const answer = ask(newPool(), 'request', { onRequest }, { ...LIMITS, time: 500 });
      await expect(answer).rejects.toBeInstanceOf(Busy);
    },
  );

  it.runIf(process.platform === 'linux')(
    'is killed for its work, not for the time that it waits (needs Linux)',
    async () => {
      const limits = { ...LIMITS, time: 1_000 };
      const onRequest = async () => new Promise((resolve) => setTimeout(() => resolve('late'), 2_000));
      expect(await ask(newPool(), 'request', { onRequest }, limits)).toBe('late');
      await expect(ask(newPool(), 'loop', {}, limits)).rejects.toMatchObject({ reason: 'time' });
    },
  );

  it('is killed for exceeding its heap, or its memory outside of the heap', async () => {
    const pool = newPool();
    await expect(ask(pool, 'heap')).rejects.toBeInstanceOf(ChildFailed);
    await expect(ask(pool, 'buffers')).rejects.toMatchObject({ reason: 'memory' });
  });

  it('ends itself for too much memory if the server cannot measure it', async () => {
    const child = fork(fileURLToPath(CHILD), { serialization: 'advanced' });
    child.send({ task: 'buffers', memory: LIMITS.memory });
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('gets the data of its task that it requests', async () => {
    const onRequest = async (request: unknown) => `${request} pong`;
    expect(await ask(newPool(), 'request', { onRequest })).toBe('ping pong');
  });

  it('is ended when its task is cancelled', async () => {
    const stopping = new AbortController();
    const task = ask(newPool(), 'loop', { signal: stopping.signal });
    setTimeout(() => stopping.abort(new Error('stopped')), 300);
    await expect(task).rejects.toThrow('stopped');
  });

  it('does not outlive a server that was killed while it was busy', async () => {
    const server = fork(fileURLToPath(new URL('./child-pool-server.js', import.meta.url)));
    const [pid] = await once(server, 'message');
    server.kill('SIGKILL');
    await ends(pid as number);
  });
});
