import { describe, expect, it } from 'vitest';
import { Busy, FairSlots } from '../../src/lib/fair-slots.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that end when the test says so, and the names of those that have started, in order. */
function tasks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  /** Ends all that have started, and those that start then. */
  const endAll = async () => {
    for (let ended = -1; ended < started.length; ) {
      ended = started.length;
      for (const name of started) await end(name);
    }
  };
  return { started, task, end, endAll };
}

describe('slots shared by key', () => {
  it('leave one slot for another key, however many tasks one key has', async () => {
    const slots = new FairSlots({ slots: 2 });
    const { started, task, endAll } = tasks();
    for (const name of ['a1', 'a2', 'a3']) void slots.run('a', task(name));
    void slots.run('b', task('b1'));
    await settled();
    expect(started).toEqual(['a1', 'b1']);
    await endAll();
  });

  it('go to the key that has used the least, not to the one that came first', async () => {
    const slots = new FairSlots({ slots: 1 });
    const { started, task, end, endAll } = tasks();
    for (const name of ['a1', 'a2', 'a3']) void slots.run('a', task(name));
    for (const name of ['b1', 'b2']) void slots.run('b', task(name));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await end('a1');
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b2']);
    await endAll();
  });

  it('refuse a caller whose key has too many waiting, and no other', async () => {
    const slots = new FairSlots({ slots: 1, waiting: 1 });
    const { started, task, end, endAll } = tasks();
    void slots.run('a', task('a1'));
    void slots.run('a', task('a2'));
    await expect(slots.run('a', task('a3'))).rejects.toBeInstanceOf(Busy);
    void slots.run('b', task('b1'));
    await end('a1');
    expect(started).toEqual(['a1', 'b1']);
    await endAll();
  });

  it('refuse a caller that has waited too long, without trying its task', async () => {
    const slots = new FairSlots({ slots: 1, patience: 10 });
    const { started, task, end } = tasks();
    void slots.run('a', task('a1'));
    await expect(slots.run('b', task('b1'))).rejects.toBeInstanceOf(Busy);
    await end('a1');
    expect(started).toEqual(['a1']);
  });

  it('are given back by a task that fails and by a caller that leaves', async () => {
    const slots = new FairSlots({ slots: 1 });
    const { task, end } = tasks();
    const leaving = new AbortController();
    void slots.run('a', task('a1'));
    const failing = expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    const left = slots.run('b', task('b1'), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await end('a1');
    await failing;
    await expect(slots.run('b', async () => 'b2')).resolves.toBe('b2');
  });
});
