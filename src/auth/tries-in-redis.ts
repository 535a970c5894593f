import { createHash } from 'node:crypto';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import { SECOND } from '../lib/time.ts';
import { type CountTries, type Step, stepInMemory, type Taken, triesBy } from './tries.ts';

/** The step of tries.ts by the clock of Redis, so that the clocks of the processes need not agree. */
const SCRIPT = `
  local time = redis.call('TIME')
  local at = time[1] * 1000 + time[2] / 1000
  local window, most, by = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local gap = window / most
  local known = tonumber(redis.call('GET', KEYS[1]) or 0)
  local due = known
  local next = math.max(known, at) + gap
  local wait = math.max(math.floor(next - window - at), 0)
  if by > 0 and wait == 0 then due = next end
  if by < 0 and known > 0 then due = known - gap end
  local whole = math.max(due - at, 0)
  if due ~= known then
    redis.call('SET', KEYS[1], string.format('%.3f', due), 'PX', math.max(math.ceil(whole), 1))
  end
  return {wait, math.max(math.floor((window - whole) / gap + 0.001), 0), math.ceil(whole - 0.001)}`;

const step = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, window: number, most: number, by: number) {
    parser.pushKey(key);
    parser.push(String(window), String(most), String(by));
  },
  transformReply: ([wait, left, whole]: [number, number, number]): Taken => ({ wait, left, whole }),
});

/** An answer that takes longer is given up. */
const PATIENCE = 0.5 * SECOND;

/** After a failure, how long Redis is left alone. */
const REST = SECOND;

export interface TriesInRedis {
  /** redis[s]://[[user][:password]@]host[:port][/database] */
  url: string;
  /** What every key begins with. */
  prefix: string;
  /** Told once when Redis goes away, and once when it is back. */
  say: (line: string) => void;
}

/**
 * Counts for all processes that share a Redis. While it is away each counts by itself, so that there is a limit
 * always; what was counted meanwhile is not carried over.
 */
export function triesInRedis({ url, prefix, say }: TriesInRedis): {
  countTries: CountTries;
  close: () => Promise<void>;
} {
  const client = createClient({
    url,
    scripts: { step },
    disableOfflineQueue: true,
    socket: { connectTimeout: 5 * SECOND, reconnectStrategy: (tries) => Math.min(tries * 100, REST) },
  });
  let away = false;
  let restUntil = 0;
  const lose = (error: unknown) => {
    restUntil = Date.now() + REST;
    if (!away) say(`Redis is away (${(error as Error).message}): each process counts by itself.`);
    away = true;
  };
  const find = () => {
    if (away) say('Redis is back, and counts for all processes.');
    away = false;
  };
  client.on('error', lose);
  void client.connect().catch(lose);

  const shared = (kind: string, window: number): Step => {
    const local = stepInMemory({ window });
    return async (key, most, by) => {
      if (!client.isReady || Date.now() < restUntil) return local(key, most, by);
      try {
        const taken = await within(
          PATIENCE,
          client.step(`${prefix}${kind}:${hashOf(key)}`, window, most, by),
        );
        find();
        return taken;
      } catch (error) {
        lose(error);
        return local(key, most, by);
      }
    };
  };
  return {
    countTries: (kind, window) => triesBy(shared(kind, window)),
    close: async () => client.destroy(),
  };
}

/** Keys hold addresses and names of people: nobody reads those in Redis. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22);

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
