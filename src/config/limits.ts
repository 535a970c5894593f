import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import type { Environment } from './environment.ts';

/** Sizes in bytes, costs in points, times in ms; a number of requests or subscriptions otherwise. */
const requestLimits = (env: Environment) => ({
  pageSize: Math.min(env.PAGE_SIZE, env.PAGE_SIZE_MAX),
  pageSizeMax: env.PAGE_SIZE_MAX,
  batchMax: env.BATCH_MAX,
  jsonBodyBytes: env.JSON_BODY_BYTES,
  uploadBytes: env.UPLOAD_BYTES,
  responseBytes: env.RESPONSE_BYTES,
  unreadBytes: env.UNREAD_BYTES,
  queryDepth: env.QUERY_DEPTH,
  queryCost: env.QUERY_COST,
  request: env.REQUEST_SECONDS * SECOND,
  requestsAtOnce: env.REQUESTS_AT_ONCE,
  socketsNetwork: env.SOCKETS_PER_NETWORK,
  leastRate: env.UPLOAD_LEAST_RATE,
  subscriptions: env.SUBSCRIPTIONS,
  subscriptionsUser: env.SUBSCRIPTIONS_USER,
  subscriptionsOrganization: env.SUBSCRIPTIONS_ORGANIZATION,
  webhooks: env.WEBHOOKS_PER_ORGANIZATION,
  organizationsPerDay: env.ORGANIZATIONS_PER_DAY,
  idempotencyKeys: env.IDEMPOTENCY_KEYS,
});

/** Reads of content: of a credential, and in the same proportions as the default of requests of users and organizations. */
function contentLimits(env: Environment) {
  const reads = env.CONTENT_READS_PER_MINUTE ?? 10 * env.REQUESTS_PER_MINUTE;
  return { contentReads: reads, contentReadsUser: 2 * reads, contentReadsOrganization: 10 * reads };
}

/** Requests or attempts within a minute or the named window (ms). */
const rateLimits = (env: Environment) => ({
  requests: env.REQUESTS_PER_MINUTE,
  requestsUser: env.REQUESTS_PER_MINUTE_USER ?? 2 * env.REQUESTS_PER_MINUTE,
  requestsOrganization: env.REQUESTS_PER_MINUTE_ORGANIZATION ?? 10 * env.REQUESTS_PER_MINUTE,
  requestsAddress: env.REQUESTS_PER_MINUTE_ADDRESS,
  pointsPerRequest: env.POINTS_PER_REQUEST,
  signInTries: env.SIGN_IN_TRIES,
  signInTriesAddress: env.SIGN_IN_TRIES_ADDRESS,
  signInTriesAccount: env.SIGN_IN_TRIES_ACCOUNT,
  signInWindow: env.SIGN_IN_TRIES_MINUTES * MINUTE,
  clientTries: env.CLIENT_TRIES,
  clientTriesAddress: env.CLIENT_TRIES_ADDRESS,
  authorizeRequests: env.AUTHORIZE_REQUESTS,
  publicRequests: env.PUBLIC_REQUESTS,
  publicAnswers: env.PUBLIC_ANSWERS,
});

function scheduleOf([first, interval, last]: number[] = []) {
  return first && interval && last
    ? { first: first * DAY, interval: interval * DAY, last: last * DAY }
    : undefined;
}

/** Milliseconds. */
const lifetimes = (env: Environment) => ({
  signIn: env.SIGN_IN_DAYS * DAY,
  signedUrl: env.SIGNED_URL_MINUTES * MINUTE,
  reservation: env.RESERVATION_HOURS * HOUR,
  recycleBin: env.RECYCLE_BIN_DAYS * DAY,
  authorizationCode: env.AUTHORIZATION_CODE_SECONDS * SECOND,
  pushedRequest: env.PUSHED_REQUEST_SECONDS * SECOND,
  accessToken: env.ACCESS_TOKEN_MINUTES * MINUTE,
  refreshIdle: env.REFRESH_TOKEN_IDLE_DAYS * DAY,
  refreshAbsolute: env.REFRESH_TOKEN_DAYS * DAY,
  refreshGrace: env.REFRESH_GRACE_SECONDS * SECOND,
  keyLifetime: env.TOKEN_KEY_DAYS * DAY,
  signingLink: env.SIGNING_LINK_DAYS * DAY,
  invitation: env.INVITATION_DAYS * DAY,
  signatureReminders: scheduleOf(env.SIGNATURE_REMINDERS),
  idempotency: env.IDEMPOTENCY_HOURS * HOUR,
});

/** Mails of one priority within an hour. */
const mailLimits = (env: Environment) => ({
  mailsToAddress: env.MAIL_PER_HOUR_ADDRESS,
  mailsOfOrganization: env.MAIL_PER_HOUR_ORGANIZATION,
  mailsOfPerson: env.MAIL_PER_HOUR_PERSON,
  mailsAtStart: env.MAIL_START_PERCENT,
});

/** Of the access codes of signing links; the window in ms. */
const codeLimits = (env: Environment) => ({
  codeTries: env.SIGNING_CODE_TRIES,
  codeWindow: env.SIGNING_CODE_MINUTES * MINUTE,
  codeFailures: env.SIGNING_CODE_FAILURES,
});

/** All limits in one object: times in ms, sizes in bytes. */
export const limitsOf = (env: Environment) => ({
  ...requestLimits(env),
  ...rateLimits(env),
  ...contentLimits(env),
  ...lifetimes(env),
  ...codeLimits(env),
  ...mailLimits(env),
});
