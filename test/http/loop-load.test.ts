import { expect, it } from 'vitest';
import { watchEventLoop } from '../../src/http/loop-load.ts';

it('reports a busy event loop for some seconds, and an idle one not', async () => {
  const isBusy = watchEventLoop();
  // Other work of this process, such as the end of the test before, counts as well.
  await expect.poll(isBusy).toBe(false);
  for (const end = performance.now() + 300; performance.now() < end; );
  await expect.poll(isBusy).toBe(true);
  await expect.poll(isBusy).toBe(false);
});
