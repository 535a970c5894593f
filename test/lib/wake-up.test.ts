import { describe, expect, it } from 'vitest';
import { WakeUpSignal } from '../../src/lib/wake-up.ts';

const HOUR = 3_600_000;

describe('a signal that rests', () => {
  it('ends the first sleep at once, also where it was given before', async () => {
    const signal = new WakeUpSignal(HOUR);
    signal.wake();
    expect(await signal.sleep(HOUR)).toBe(true);
  });

  it('ends at most one sleep in its interval, however often it is given', async () => {
    const signal = new WakeUpSignal(50);
    const begun = performance.now();
    const waking = setInterval(() => signal.wake(), 1);
    let ended = 0;
    while (performance.now() - begun < 300) if (await signal.sleep(HOUR)) ended += 1;
    clearInterval(waking);
    expect(ended).toBeGreaterThan(1);
    expect(ended).toBeLessThanOrEqual((performance.now() - begun) / 50 + 1);
  });

  it('keeps what it is given while nothing sleeps', async () => {
    const signal = new WakeUpSignal(1);
    signal.wake();
    await signal.sleep(HOUR);
    signal.wake();
    expect(await signal.sleep(HOUR)).toBe(true);
    expect(await signal.sleep(1)).toBe(false);
  });
});
