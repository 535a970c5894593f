import { expect, it } from 'vitest';
import { watchEventLoop } from '../../src/http/loop-load.ts';

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('reports a busy event loop for some seconds, and an idle one not', async () => {
  const isBusy = watchEventLoop();
  await rest(150);
  const before = isBusy();
  for (const end = performance.now() + 300; performance.now() < end; );
  await rest(150);
  expect([before, isBusy()]).toEqual([false, true]);
  await rest(2_300);
  expect(isBusy()).toBe(false);
});
