import { ChildPool } from '../../files/child/child-pool.ts';
import { FairSlots } from '../../lib/fair-slots.ts';
import { shorten } from '../../lib/text/shorten.js';
import { NotSealable } from '../copy/not-sealable.ts';
import type { Prepared, SealJob } from './job.ts';

type Answer = { prepared: Prepared } | { fault: { message: string } };

const TIME_LIMIT = 60_000;
const MEMORY_LIMIT = 1_024 * 2 ** 20;
const HEAP_MIB = 512;

const pool = new ChildPool<SealJob, Answer>(
  new URL('./draw-task.js', import.meta.url),
  new FairSlots({ slots: 2, patience: 5 * TIME_LIMIT }),
  HEAP_MIB,
);

/**
 * Draws the values and the audit pages in a child process. Throws NotSealable if the file or an image is broken;
 * ChildFailed if it takes more than `timeLimit` ms or 1 GiB; Busy.
 */
export async function prepare(job: SealJob, timeLimit = TIME_LIMIT): Promise<Prepared> {
  const limits = { time: timeLimit, memory: MEMORY_LIMIT };
  const answer = await pool.ask(job, limits, { key: job.organizationId });
  if ('fault' in answer)
    throw new NotSealable(`The file cannot be drawn: ${shorten(answer.fault.message, 300)}`);
  return { ...answer.prepared, bytes: new Uint8Array(answer.prepared.bytes) };
}
