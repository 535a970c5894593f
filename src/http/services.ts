import type { Logger } from 'pino';
import { newAccountService } from '../auth/account-service.ts';
import { IdentityProvider } from '../auth/oidc/identity-provider.ts';
import { type NewRateLimiter, newMemoryRateLimiter } from '../auth/rate-limiter.ts';
import {
  deviceCookie,
  oidcCookie,
  passkeyCookie,
  pendingCookie,
  sessionCookie,
} from '../auth/session-cookie.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { executeOnce } from '../domain/idempotency/idempotency.ts';
import type { Storage } from '../domain/kernel/context.ts';
import { pagePictures } from '../files/content/pictures/page-pictures.ts';
import type { PersistedOperations } from '../graph/http/persisted.ts';
import type { FetchExceptions } from '../lib/http/fetch-public.ts';
import { DAY, HOUR, MINUTE } from '../lib/time.ts';
import { type Lifecycle, newLifecycle } from '../telemetry/lifecycle.ts';
import { type Metrics, openMetrics } from '../telemetry/metrics.ts';
import type { Certificate } from '../verify/certificate.js';
import { admission } from './admission.ts';
import type { HealthOptions } from './health.ts';
import { HeldRows } from './held-rows.ts';
import { requestRateLimit } from './rate-limit.ts';
import { RequestContexts } from './request-context.ts';
import { RequestSlots } from './request-slots.ts';
import { unreadResponses } from './unread-responses.ts';
import { UsageRecorder } from './usage/usage-recorder.ts';

export interface AppOptions {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'mail'
    | 'signUp'
    | 'oidc'
    | 'limits'
    | 'trustProxy'
    | 'corsOrigins'
    | 'introspection'
    | 'metricsToken'
    | 'clientDocuments'
  >;
  db: Database;
  storage: Storage;
  log: Logger;
  /** Creates the rate limiters; by default they count in this process alone. */
  newRateLimiter?: NewRateLimiter;
  persisted?: PersistedOperations;
  lifecycle?: Lifecycle;
  metrics?: Metrics;
  /** Counts the use of keys and applications; by default, the counts are not written. */
  usage?: UsageRecorder;
  /** Certificates under which authorities of time-stamps are trusted; none by default. */
  timeStampRoots?: readonly Certificate[];
  /** For tests: where documents that describe applications may come from, beside public addresses. */
  documentExceptions?: FetchExceptions;
  /** How optional parts stand, for `/readyz?details`. */
  parts?: HealthOptions['parts'];
  /** Aborts when the server stops, which ends subscriptions. */
  stopping?: AbortSignal;
}

export type Services = ReturnType<typeof newServices>;

/** How many times the bytes of a response the rows of one request may have. */
const ROWS = 2;

/** What responses hold while they are built, and until they are read. */
const responseMemory = ({ unreadBytes, responseBytes }: AppOptions['config']['limits']) => ({
  unread: unreadResponses(unreadBytes),
  rows: new HeldRows({ total: unreadBytes, request: ROWS * responseBytes }),
});

/** The cookies of a browser that signs in, beside that of its session. */
const signInCookies = (publicUrl: string) => ({
  pendingCookie: pendingCookie(publicUrl),
  passkeyCookie: passkeyCookie(publicUrl),
  deviceCookie: deviceCookie(publicUrl),
  oidcCookie: oidcCookie(publicUrl),
});

/** What the routers share. */
export function newServices(options: AppOptions) {
  const { config, db, storage, log, newRateLimiter = newMemoryRateLimiter } = options;
  const { publicUrl, limits, trustProxy } = config;
  const lifecycle = options.lifecycle ?? newLifecycle();
  const report = (error: unknown, requestId: string) =>
    log.error({ err: error, requestId }, 'unexpected failure');
  const cookie = sessionCookie(publicUrl);
  const rateLimit = requestRateLimit(newRateLimiter, limits);
  const slots = new RequestSlots(limits.requestsAtOnce);
  const tenants = admission({ ...limits, slots });
  const memory = responseMemory(limits);
  const metrics = options.metrics ?? openMetrics({ db, lifecycle });
  metrics.follow(memory.unread, memory.rows);
  const accountRateLimiter = newRateLimiter('accounts', HOUR);
  const sendsMail = config.mail.target === 'SMTP';
  const accounts = newAccountService({ db, rateLimiter: accountRateLimiter, sendsMail });
  const contextOptions = { db, storage, limits, cookie, publicUrl, trustProxy, rateLimit, accounts, report };
  return {
    ...options,
    timeStampRoots: options.timeStampRoots ?? [],
    lifecycle,
    metrics,
    usage: options.usage ?? new UsageRecorder(db, log),
    newRateLimiter,
    report,
    cookie,
    ...signInCookies(publicUrl),
    provider: config.oidc && new IdentityProvider(config.oidc, publicUrl),
    signInRateLimiter: newRateLimiter('sign-in', limits.signInWindow),
    accountRateLimiter,
    accounts,
    codeRateLimiter: newRateLimiter('codes', 5 * MINUTE),
    dailyCodeRateLimiter: newRateLimiter('codes-day', DAY),
    rateLimit,
    slots,
    admission: tenants,
    ...memory,
    requests: new RequestContexts({ ...contextOptions, admission: tenants, ...memory }),
    once: executeOnce(report),
    pictures: pagePictures(storage.store),
  };
}
