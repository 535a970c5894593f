import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldRefusals } from '../../src/http/held-refusals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Refusals of which as many as `max` are held; `refused` has the names of those that were sent. */
function setUp(max: number) {
  const refusals = new HeldRefusals(max);
  const refused: string[] = [];
  const hold = (name: string) => {
    const outgoing = new EventEmitter();
    refusals.hold(outgoing, () => {
      refused.push(name);
      outgoing.emit('close');
    });
    return outgoing;
  };
  return { refused, hold };
}

describe('a refusal', () => {
  it('is sent within two seconds, at different times', () => {
    const { refused, hold } = setUp(100);
    for (let index = 0; index < 100; index++) hold(`${index}`);
    vi.advanceTimersByTime(1_000);
    const half = refused.length;
    vi.advanceTimersByTime(1_000);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(100);
    expect(refused).toHaveLength(100);
  });

  it('is sent at once where as many are held as may be', () => {
    const { refused, hold } = setUp(2);
    for (const name of ['first', 'second', 'third']) hold(name);
    expect(refused).toEqual(['third']);
  });

  it('is not sent on a connection that was closed, whose place is free again', () => {
    const { refused, hold } = setUp(1);
    hold('closed').emit('close');
    hold('next');
    const before = [...refused];
    vi.advanceTimersByTime(2_000);
    expect([before, refused]).toEqual([[], ['next']]);
  });
});
