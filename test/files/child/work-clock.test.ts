import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { workClock } from '../../../src/files/child/work-clock.ts';

/** A clock of processor time whose readings are set by the test, in ms. */
function setClock() {
  const system: { processor: number | undefined; real: number } = { processor: 500, real: 10_000 };
  const start = () =>
    workClock(
      () => system.processor,
      () => system.real,
    );
  return { system, start };
}

describe('a clock of the work of a process', () => {
  it('shows its processor time since the start, not the time that it waits', () => {
    const { system, start } = setClock();
    const work = start();
    Object.assign(system, { processor: 530, real: 19_000 });
    expect(work()).toBe(30);
  });

  it('shows no more than all processors can have given, when the count of the system jumps', () => {
    const { system, start } = setClock();
    const work = start();
    Object.assign(system, { processor: 60_500, real: 10_100 });
    expect(work()).toBe(100 * availableParallelism());
  });

  it('keeps the last reading of a process that has ended', () => {
    const { system, start } = setClock();
    const work = start();
    Object.assign(system, { processor: 540, real: 10_100 });
    work();
    Object.assign(system, { processor: undefined, real: 12_000 });
    expect(work()).toBe(40);
  });

  it('shows real time where the system reports none', () => {
    const { system, start } = setClock();
    system.processor = undefined;
    const work = start();
    system.real = 10_250;
    expect(work()).toBe(250);
  });
});
