import { z } from 'zod';
import { MAX_REFRESH_GRACE, SECOND } from '../lib/time.ts';
import {
  count,
  languages,
  office,
  optionalCount,
  origins,
  reminderDays,
  seconds,
  urlWith,
  whole,
} from './fields.ts';
import { mailVariables } from './mail.ts';
import { PRESETS } from './presets.ts';
import { signInVariables } from './sign-in.ts';
import { timeStampVariables } from './time-stamps.ts';

/** The settings of an S3 bucket: all or none of them name a bucket, and keys come in pairs. */
const bucket = z
  .object({
    S3_BUCKET: z.string().min(1).optional(),
    S3_ENDPOINT: urlWith(['http:', 'https:'], 'https://s3.example.com').optional(),
    S3_REGION: z.string().min(1).optional(),
    S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    S3_PREFIX: z
      .string()
      .regex(/^[\w!.*'()-]+(\/[\w!.*'()-]+)*\/?$/, { error: 'must be a key prefix such as docgraph/' })
      .optional(),
    S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).optional(),
  })
  .superRefine((settings, context) => {
    const report = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (Object.keys(settings).length > 0 && !settings.S3_BUCKET)
      report('S3_BUCKET', 'must be set with the other S3_…');
    if (settings.S3_ACCESS_KEY_ID && !settings.S3_SECRET_ACCESS_KEY)
      report('S3_SECRET_ACCESS_KEY', 'must be set with S3_ACCESS_KEY_ID');
    if (settings.S3_SECRET_ACCESS_KEY && !settings.S3_ACCESS_KEY_ID)
      report('S3_ACCESS_KEY_ID', 'must be set with S3_SECRET_ACCESS_KEY');
  });

/** The operator's encryption keys, separated by commas; the first one encrypts. */
const encryptionKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()) as [string, ...string[]])
  .refine((keys) => keys.every((key) => key.length >= 32), {
    error: 'must be a key of at least 32 characters, or several separated by commas',
  })
  .optional();

const variables = z.object({
  PORT: whole(0, 65_535).default(4000),
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
  LIMITS: z.enum(PRESETS).default('standard'),
  REQUESTS_PER_MINUTE: count(600, 0),
  REQUESTS_PER_MINUTE_USER: optionalCount,
  REQUESTS_PER_MINUTE_ORGANIZATION: optionalCount,
  REQUESTS_PER_MINUTE_ADDRESS: count(300, 0),
  CONTENT_READS_PER_MINUTE: optionalCount,
  POINTS_PER_REQUEST: count(1_000, 0),
  SIGN_IN_TRIES: count(10, 0),
  SIGN_IN_TRIES_ADDRESS: count(50, 0),
  SIGN_IN_TRIES_ACCOUNT: count(50, 0),
  SIGN_IN_TRIES_MINUTES: count(15),
  CLIENT_TRIES: count(60, 0),
  CLIENT_TRIES_ADDRESS: count(300, 0),
  AUTHORIZE_REQUESTS: count(1_200, 0),
  SIGNED_URL_MINUTES: count(15),
  RESERVATION_HOURS: count(24),
  RECYCLE_BIN_DAYS: count(30, 0),
  AUTHORIZATION_CODE_SECONDS: whole(1, 60).default(60),
  PUSHED_REQUEST_SECONDS: whole(5, 600).default(60),
  ACCESS_TOKEN_MINUTES: count(60),
  REFRESH_TOKEN_IDLE_DAYS: count(30),
  REFRESH_TOKEN_DAYS: count(365),
  REFRESH_GRACE_SECONDS: whole(0, MAX_REFRESH_GRACE / SECOND).default(0),
  TOKEN_KEY_DAYS: count(90),
  SIGNING_LINK_DAYS: count(30),
  INVITATION_DAYS: count(7),
  SIGNATURE_REMINDERS: reminderDays('5,2,30'),
  SIGNING_CODE_TRIES: count(5),
  SIGNING_CODE_MINUTES: count(15),
  SIGNING_CODE_FAILURES: count(20),
  IDEMPOTENCY_HOURS: count(24),
  PUBLIC_REQUESTS: count(1_200, 0),
  PUBLIC_ANSWERS: count(60),
  SWEEP_MINUTES: count(60),
  PAGE_SIZE: count(25),
  PAGE_SIZE_MAX: count(100, 100),
  BATCH_MAX: count(1_000),
  JSON_BODY_BYTES: count(2 ** 20),
  UPLOAD_BYTES: count(5 * 2 ** 30),
  IDEMPOTENCY_KEYS: count(20_000),
  RESPONSE_BYTES: count(2 ** 24, 2 ** 16),
  UNREAD_BYTES: count(2 ** 28, 2 ** 20),
  INTROSPECTION: z.enum(['on', 'off']).default('on'),
  PERSISTED_OPERATIONS: z.string().min(1).optional(),
  PERSISTED_OPERATIONS_ONLY: z.enum(['true', 'false']).default('false'),
  QUERY_DEPTH: count(15),
  QUERY_COST: count(10_000),
  REQUEST_SECONDS: count(10),
  REQUESTS_AT_ONCE: count(1_000),
  SOCKETS_PER_NETWORK: count(2_000, 0),
  UPLOAD_LEAST_RATE: count(500, 0),
  KEEP_ALIVE_SECONDS: seconds(1, 3_600).default(125),
  METRICS_TOKEN: z.string().min(16).optional(),
  STOP_DELAY_SECONDS: seconds(0, 60).default(1),
  SUBSCRIPTIONS: count(10, 0),
  SUBSCRIPTIONS_USER: count(20, 0),
  SUBSCRIPTIONS_ORGANIZATION: count(200, 0),
  OCR_LANGUAGES: languages,
  OFFICE: office,
  OFFICE_UNSANDBOXED: z.enum(['0', '1']).default('0'),
  WEBHOOKS_PER_ORGANIZATION: count(100),
  ORGANIZATIONS_PER_DAY: count(10, 0),
  CLIENT_METADATA_DOCUMENTS: z.enum(['true', 'false']).default('true'),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).default('false'),
});

/** The environment variables of the server, with their defaults; docs/configuration.md describes each. */
export const environment = variables
  .and(bucket)
  .and(mailVariables)
  .and(signInVariables)
  .and(timeStampVariables)
  .superRefine((env, context) => {
    const report = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (env.SIGN_UP === 'open' && !env.SMTP_URL)
      report('SIGN_UP', 'must not be open without SMTP_URL, as a mail proves the address');
    if (env.SEAL_CERTIFICATE && !env.SEAL_KEY) report('SEAL_KEY', 'must be set with SEAL_CERTIFICATE');
    if (env.SEAL_KEY && !env.SEAL_CERTIFICATE) report('SEAL_CERTIFICATE', 'must be set with SEAL_KEY');
  });

/** The names of all variables. */
export const VARIABLES: readonly string[] = [
  ...new Set(
    [variables, bucket, mailVariables, signInVariables, timeStampVariables].flatMap(({ shape }) =>
      Object.keys(shape),
    ),
  ),
];

export type Environment = z.output<typeof environment>;
