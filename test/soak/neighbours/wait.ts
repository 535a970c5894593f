import { sleep } from '../calls.ts';
import type { Tenant } from './town.ts';

/** Looks until it is so, or the signal aborts. */
export async function until(isSo: () => Promise<boolean>, signal: AbortSignal, everyMs = 50): Promise<void> {
  while (!signal.aborted && !(await isSo())) await sleep(everyMs);
}

/** Milliseconds after which a caller who was refused tries again. */
const REFUSED = 200;

/** So many callers at once, each with one request after the other, until the signal aborts. */
export async function keepBusy(
  callers: number,
  call: (turn: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let turn = 0;
  const one = async () => {
    while (!signal.aborted)
      if (
        await call(turn++).then(
          () => false,
          () => true,
        )
      )
        await sleep(REFUSED);
  };
  await Promise.all(Array.from({ length: callers }, one));
}

/** At a constant rate, whatever becomes of those before, until the signal aborts. */
export async function keepSending(
  everyMs: number,
  call: (turn: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    void call(turn).catch(() => {});
    await sleep(everyMs);
  }
}

/** Uploads a file of the victim and waits until its text is read. Throws where that failed. */
export async function readsText(
  victim: Tenant,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const [id] = await victim.upload([{ name, bytes }]);
  let status = '';
  await until(async () => {
    const { document } = await victim.next.graph('query ($id: ID!) { document(id: $id) { textStatus } }', {
      id,
    });
    status = document.textStatus;
    return !['PENDING', 'RECOGNIZING'].includes(status);
  }, signal);
  if (status !== 'READY' && !signal.aborted) throw new Error(`the text is ${status}`);
}

/** Uploads a PDF of the victim, and opens its picture. Throws where it has no pages, or no picture. */
export async function opensPicture(
  victim: Tenant,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const [id] = (await victim.upload([{ name, bytes }])) as [string];
  const path = await victim.thumbnailOf(id);
  if (!path) throw new Error('there is no thumbnail');
  let status = 0;
  await until(async () => {
    status = (await victim.anonymous.send({ method: 'GET', path }, signal)).status;
    return status !== 503 && status !== 429;
  }, signal);
  if (status !== 200 && !signal.aborted) throw new Error(`the thumbnail is ${status}`);
}
