import { createHash } from 'node:crypto';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import { SECOND } from '../lib/time.ts';
import {
  type GcraStep,
  memoryGcraStep,
  type NewRateLimiter,
  type RateLimitState,
  rateLimiterOf,
} from './rate-limiter.ts';

/** `memoryGcraStep` as a script, by the clock of Redis, so that the clocks of the processes need not agree. */
const SCRIPT = `
  local clock = redis.call('TIME')
  local time = clock[1] * 1000 + clock[2] / 1000
  local window, limit, change = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local forced = ARGV[4] == '1'
  local interval = window / limit
  local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
  local resetTime = stored
  local next = math.max(stored, time) + interval * (change > 0 and change or 1)
  local wait = math.max(math.floor(next - window - time), 0)
  if change > 0 and (wait == 0 or forced) then resetTime = math.min(next, time + 2 * window) end
  if change < 0 and stored > 0 then resetTime = stored + change * interval end
  local resetAfter = math.max(resetTime - time, 0)
  if resetTime ~= stored then
    redis.call('SET', KEYS[1], string.format('%.3f', resetTime), 'PX', math.max(math.ceil(resetAfter), 1))
  end
  return {wait, math.max(math.floor((window - resetAfter) / interval + 0.001), 0), math.ceil(resetAfter - 0.001)}`;

const step = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, numbers: readonly number[], forced: boolean) {
    parser.pushKey(key);
    parser.push(...numbers.map(String), forced ? '1' : '0');
  },
  transformReply: ([wait, remaining, resetAfter]: [number, number, number]): RateLimitState => ({
    wait,
    remaining,
    resetAfter,
  }),
});

const REPLY_TIMEOUT = 0.5 * SECOND;

/** Time after a failure in which Redis is not used. */
const RETRY_AFTER = SECOND;

export interface RedisOptions {
  /** redis[s]://[[user][:password]@]host[:port][/database] */
  url: string;
  /** Prefix of every key. */
  prefix: string;
  /** Called once when Redis becomes unavailable, and once when it is available again. */
  warn: (line: string) => void;
}

/** Whether Redis is in use; reports changes of that. */
class Availability {
  readonly #warn: (line: string) => void;
  #failing = false;
  #retryAt = 0;

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  get isFailing(): boolean {
    return Date.now() < this.#retryAt;
  }

  failed(error: unknown): void {
    this.#retryAt = Date.now() + RETRY_AFTER;
    if (!this.#failing)
      this.#warn(`Redis is not available (${(error as Error).message}): each process counts by itself.`);
    this.#failing = true;
  }

  succeeded(): void {
    if (this.#failing) this.#warn('Redis is available again, and counts for all processes.');
    this.#failing = false;
  }
}

/**
 * Counts for all processes that share a Redis. While it is unavailable each process counts by itself, so that there is
 * always a limit; these counts are not carried over to Redis.
 */
export function redisRateLimiters({ url, prefix, warn }: RedisOptions): {
  newRateLimiter: NewRateLimiter;
  close: () => Promise<void>;
} {
  const client = createClient({
    url,
    scripts: { step },
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 5 * SECOND,
      reconnectStrategy: (retries) => Math.min(retries * 100, RETRY_AFTER),
    },
  });
  const availability = new Availability(warn);
  client.on('error', (error) => availability.failed(error));
  void client.connect().catch((error) => availability.failed(error));

  const sharedStep = (kind: string, window: number): GcraStep => {
    const local = memoryGcraStep({ window });
    return async (key, limit, change, forced = false) => {
      if (!client.isReady || availability.isFailing) return local(key, limit, change, forced);
      try {
        const reply = client.step(`${prefix}${kind}:${hashOf(key)}`, [window, limit, change], forced);
        const state = await within(REPLY_TIMEOUT, reply);
        availability.succeeded();
        return state;
      } catch (error) {
        availability.failed(error);
        return local(key, limit, change, forced);
      }
    };
  };
  return {
    newRateLimiter: (kind, window) => rateLimiterOf(sharedStep(kind, window)),
    close: async () => client.destroy(),
  };
}

/** Keys contain addresses and e-mail addresses, which are not stored in clear. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22);

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no reply in time')), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
