import { resolve } from 'node:path';
import { z } from 'zod';
import { MAX_REFRESH_GRACE } from '../domain/oauth/token-limits.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { count, languages, optionalCount, origins, urlWith } from './fields.ts';

/** The settings of an S3 bucket, which have to be consistent. */
const bucket = z
  .object({
    S3_BUCKET: z.string().min(1).optional(),
    S3_ENDPOINT: urlWith(['http:', 'https:'], 'https://s3.example.com').optional(),
    S3_REGION: z.string().min(1).optional(),
    S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).optional(),
  })
  .superRefine((set, context) => {
    const fault = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (Object.keys(set).length > 0 && !set.S3_BUCKET) fault('S3_BUCKET', 'must be set with the other S3_…');
    if (set.S3_ACCESS_KEY_ID && !set.S3_SECRET_ACCESS_KEY)
      fault('S3_SECRET_ACCESS_KEY', 'must be set with S3_ACCESS_KEY_ID');
    if (set.S3_SECRET_ACCESS_KEY && !set.S3_ACCESS_KEY_ID)
      fault('S3_ACCESS_KEY_ID', 'must be set with S3_SECRET_ACCESS_KEY');
  });

/** The operator's encryption keys, separated by commas; the first one encrypts. */
const encryptionKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()) as [string, ...string[]])
  .refine((each) => each.every((one) => one.length >= 32), {
    error: 'must be a key of at least 32 characters, or several with commas between them',
  })
  .optional();

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: urlWith(['http:', 'https:'], 'https://docs.example.com').optional(),
  TRUST_PROXY: count(0, 0),
  CORS_ORIGINS: origins,
  DATABASE_URL: urlWith(['postgres:', 'postgresql:'], 'postgres://user:pass@host:5432/database').optional(),
  DATABASE_POOL: count(10),
  DATABASE_WAIT_SECONDS: count(30, 0),
  DATA_DIR: z.string().min(1).default('./data'),
  EMBEDDED_SYNC: z.enum(['on', 'off']).default('on'),
  ENCRYPTION_KEY: encryptionKeys,
  SEAL_CERTIFICATE: z.string().optional(),
  SEAL_KEY: z.string().optional(),
  SEAL_KEY_PASSPHRASE: z.string().optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  SIGN_IN_DAYS: count(14),
  REDIS_URL: urlWith(['redis:', 'rediss:'], 'redis://user:password@host:6379/0').optional(),
  REDIS_PREFIX: z.string().default('docgraph:'),
  REQUESTS_PER_MINUTE: count(600, 0),
  REQUESTS_PER_MINUTE_USER: optionalCount,
  REQUESTS_PER_MINUTE_ORGANIZATION: optionalCount,
  REQUESTS_PER_MINUTE_ADDRESS: count(300, 0),
  SIGN_IN_TRIES: count(10, 0),
  SIGN_IN_TRIES_ADDRESS: count(50, 0),
  SIGN_IN_TRIES_ACCOUNT: count(50, 0),
  SIGN_IN_TRIES_MINUTES: count(15),
  CLIENT_TRIES: count(60, 0),
  CLIENT_TRIES_ADDRESS: count(300, 0),
  AUTHORIZE_REQUESTS: count(1_200, 0),
  SIGNED_ADDRESS_MINUTES: count(15),
  RESERVATION_HOURS: count(24),
  RECYCLE_BIN_DAYS: count(30, 0),
  AUTHORIZATION_CODE_SECONDS: z.coerce.number().int().min(1).max(60).default(60),
  PUSHED_REQUEST_SECONDS: z.coerce.number().int().min(5).max(600).default(60),
  ACCESS_TOKEN_MINUTES: count(60),
  REFRESH_TOKEN_IDLE_DAYS: count(30),
  REFRESH_TOKEN_DAYS: count(365),
  REFRESH_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_REFRESH_GRACE / SECOND)
    .default(0),
  TOKEN_KEY_DAYS: count(90),
  SIGNING_LINK_DAYS: count(30),
  SIGNING_CODE_TRIES: count(5),
  SIGNING_CODE_MINUTES: count(15),
  SIGNING_CODE_FAILURES: count(20),
  IDEMPOTENCY_HOURS: count(24),
  PUBLIC_REQUESTS: count(1_200),
  PUBLIC_ANSWERS: count(60),
  SWEEP_MINUTES: count(60),
  PAGE_SIZE: count(25),
  PAGE_SIZE_MAX: count(100, 100),
  BATCH_MAX: count(1_000),
  JSON_BODY_BYTES: count(2 ** 20),
  UPLOAD_BYTES: count(5 * 2 ** 30),
  INTROSPECTION: z.enum(['on', 'off']).default('on'),
  PERSISTED_OPERATIONS: z.string().min(1).optional(),
  PERSISTED_OPERATIONS_ONLY: z.enum(['true', 'false']).default('false'),
  QUERY_DEPTH: count(15),
  QUERY_COST: count(1_000),
  REQUEST_SECONDS: count(10),
  REQUESTS_AT_ONCE: count(1_000),
  METRICS_TOKEN: z.string().min(16).optional(),
  STOP_DELAY_SECONDS: z.coerce.number().min(0).max(60).default(1),
  SUBSCRIPTIONS: count(10, 0),
  SUBSCRIPTIONS_USER: count(20, 0),
  SUBSCRIPTIONS_ORGANIZATION: count(200, 0),
  OCR_LANGUAGES: languages,
  WEBHOOKS_PER_ORGANIZATION: count(100),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).default('false'),
});

const environmentAndBucket = environment.and(bucket);

/** Files of the operator's seal certificate and its key. Throws ConfigError for one without the other. */
function sealFiles({
  SEAL_CERTIFICATE: certificate,
  SEAL_KEY: key,
  SEAL_KEY_PASSPHRASE: passphrase,
}: Environment) {
  if (!certificate && !key) return undefined;
  if (!certificate || !key)
    throw new ConfigError('SEAL_CERTIFICATE and SEAL_KEY are set together, or neither of them.');
  return { certificate: resolve(certificate), key: resolve(key), passphrase };
}

type Environment = z.output<typeof environment>;

export type Config = ReturnType<typeof readConfig>;

/** The configuration is invalid. The message has one line for each fault. */
export class ConfigError extends Error {}

/** The settings of the environment, times in ms, sizes in bytes (see README). Throws ConfigError naming every bad variable. */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { success, data, error } = environmentAndBucket.safeParse(set);
  if (!success) {
    const faults = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Some environment variables are not usable:\n${faults.join('\n')}`);
  }
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: (data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, ''),
    trustProxy: data.TRUST_PROXY,
    corsOrigins: data.CORS_ORIGINS,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    databaseWait: data.DATABASE_WAIT_SECONDS * SECOND,
    redisUrl: data.REDIS_URL,
    redisPrefix: data.REDIS_PREFIX,
    dataDir: resolve(data.DATA_DIR),
    embeddedSync: data.EMBEDDED_SYNC === 'on',
    s3: s3Of(data),
    encryptionKeys: data.ENCRYPTION_KEY,
    sealFiles: sealFiles(data),
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN,
    stopDelay: data.STOP_DELAY_SECONDS * SECOND,
    introspection: data.INTROSPECTION === 'on',
    persistedOperations: data.PERSISTED_OPERATIONS && {
      file: resolve(data.PERSISTED_OPERATIONS),
      only: data.PERSISTED_OPERATIONS_ONLY === 'true',
    },
    sweepEvery: data.SWEEP_MINUTES * MINUTE,
    ocrLanguages: data.OCR_LANGUAGES,
    webhookAllowPrivate: data.WEBHOOK_ALLOW_PRIVATE === 'true',
    limits: {
      pageSize: Math.min(data.PAGE_SIZE, data.PAGE_SIZE_MAX),
      pageSizeMax: data.PAGE_SIZE_MAX,
      batchMax: data.BATCH_MAX,
      jsonBodyBytes: data.JSON_BODY_BYTES,
      uploadBytes: data.UPLOAD_BYTES,
      queryDepth: data.QUERY_DEPTH,
      queryCost: data.QUERY_COST,
      request: data.REQUEST_SECONDS * SECOND,
      requestsAtOnce: data.REQUESTS_AT_ONCE,
      subscriptions: data.SUBSCRIPTIONS,
      subscriptionsUser: data.SUBSCRIPTIONS_USER,
      subscriptionsOrganization: data.SUBSCRIPTIONS_ORGANIZATION,
      signIn: data.SIGN_IN_DAYS * DAY,
      requests: data.REQUESTS_PER_MINUTE,
      requestsUser: data.REQUESTS_PER_MINUTE_USER ?? 2 * data.REQUESTS_PER_MINUTE,
      requestsOrganization: data.REQUESTS_PER_MINUTE_ORGANIZATION ?? 10 * data.REQUESTS_PER_MINUTE,
      requestsAddress: data.REQUESTS_PER_MINUTE_ADDRESS,
      signInTries: data.SIGN_IN_TRIES,
      signInTriesAddress: data.SIGN_IN_TRIES_ADDRESS,
      signInTriesAccount: data.SIGN_IN_TRIES_ACCOUNT,
      signInWindow: data.SIGN_IN_TRIES_MINUTES * MINUTE,
      clientTries: data.CLIENT_TRIES,
      clientTriesAddress: data.CLIENT_TRIES_ADDRESS,
      authorizeRequests: data.AUTHORIZE_REQUESTS,
      signedUrl: data.SIGNED_ADDRESS_MINUTES * MINUTE,
      reservation: data.RESERVATION_HOURS * HOUR,
      recycleBin: data.RECYCLE_BIN_DAYS * DAY,
      authorizationCode: data.AUTHORIZATION_CODE_SECONDS * SECOND,
      pushedRequest: data.PUSHED_REQUEST_SECONDS * SECOND,
      accessToken: data.ACCESS_TOKEN_MINUTES * MINUTE,
      refreshIdle: data.REFRESH_TOKEN_IDLE_DAYS * DAY,
      refreshAbsolute: data.REFRESH_TOKEN_DAYS * DAY,
      refreshGrace: data.REFRESH_GRACE_SECONDS * SECOND,
      keyLifetime: data.TOKEN_KEY_DAYS * DAY,
      signingLink: data.SIGNING_LINK_DAYS * DAY,
      idempotency: data.IDEMPOTENCY_HOURS * HOUR,
      codeTries: data.SIGNING_CODE_TRIES,
      codeWindow: data.SIGNING_CODE_MINUTES * MINUTE,
      codeFailures: data.SIGNING_CODE_FAILURES,
      publicRequests: data.PUBLIC_REQUESTS,
      publicAnswers: data.PUBLIC_ANSWERS,
      webhooks: data.WEBHOOKS_PER_ORGANIZATION,
    },
  };
}

/** Undefined without a bucket: then files are on disk. Path style by default with S3_ENDPOINT, as few other servers have a host name a bucket. */
function s3Of(data: z.output<typeof environmentAndBucket>) {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = data;
  if (!S3_BUCKET) return undefined;
  const keys = S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY;
  return {
    bucket: S3_BUCKET,
    endpoint: S3_ENDPOINT,
    region: data.S3_REGION ?? 'us-east-1',
    credentials: keys ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } : undefined,
    forcePathStyle: data.S3_FORCE_PATH_STYLE
      ? data.S3_FORCE_PATH_STYLE === 'true'
      : S3_ENDPOINT !== undefined,
    // S3 allows at most 10,000 parts of at least 5 MiB; parts of 8 MiB suffice for uploads of up to 78 GiB.
    partBytes: Math.max(8 * 2 ** 20, Math.ceil(data.UPLOAD_BYTES / 10_000 / 2 ** 20) * 2 ** 20),
  };
}
