import { measure, type Outcome, type Resource } from './measure.ts';
import { bodies } from './resources/bodies.ts';
import { connections } from './resources/connections.ts';
import { counts } from './resources/counts.ts';
import { disk } from './resources/disk.ts';
import { jobQueue } from './resources/job-queue.ts';
import { mainThread } from './resources/main-thread.ts';
import { ocr } from './resources/ocr.ts';
import { passwords } from './resources/passwords.ts';
import { pdf } from './resources/pdf.ts';
import { pictures } from './resources/pictures.ts';
import { redis } from './resources/redis.ts';
import { sealing } from './resources/sealing.ts';
import { search } from './resources/search.ts';
import { slowRequests, slowUploads } from './resources/slow-sockets.ts';
import { subscriptions, subscriptionsEmbedded } from './resources/subscriptions.ts';
import { text, textMemory } from './resources/text.ts';
import { unread } from './resources/unread.ts';
import { webhooks } from './resources/webhooks.ts';

/** All that organizations share. */
const RESOURCES: Record<string, Resource> = {
  'main thread': mainThread,
  'request bodies': bodies,
  'slow requests': slowRequests,
  'slow uploads': slowUploads,
  'password checks': passwords,
  'large responses that nobody reads': unread,
  'database connections': connections,
  search,
  counts,
  'PDF counting and drawing': pdf,
  'picture processes': pictures,
  text,
  'text memory': textMemory,
  'text recognition': ocr,
  sealing,
  webhooks,
  'job queue': jobQueue,
  subscriptions,
  'subscriptions embedded': subscriptionsEmbedded,
  Redis: redis,
  disk,
};

export interface Settings {
  seconds: number;
  rate: number;
  patience: number;
  program: string[];
}

/**
 * For each shared resource: the victim's ordinary requests and background work, calm and beside the aggressor's worst.
 * The variable SOAK_ONLY holds the names of the resources to measure, with commas between them.
 */
export async function besideNeighbours(
  { program, ...pace }: Settings,
  database: string,
): Promise<Record<string, Outcome | { error: string }>> {
  const only = process.env.SOAK_ONLY?.split(',');
  const outcomes: Record<string, Outcome | { error: string }> = {};
  for (const [name, resource] of Object.entries(RESOURCES)) {
    if (only && !only.includes(name)) continue;
    const begin = performance.now();
    const outcome = await measure(resource, pace, database, program).catch((error: Error) => ({
      error: error.message.slice(0, 500),
    }));
    outcomes[name] = outcome;
    console.log(name, `${Math.round((performance.now() - begin) / 1_000)} s`, JSON.stringify(outcome));
  }
  return outcomes;
}
