import { resolve } from 'node:path';
import { MINUTE, SECOND } from '../lib/time.ts';
import { type Environment, environment, VARIABLES } from './environment.ts';
import { limitsOf } from './limits.ts';
import { mailSettings } from './mail.ts';
import { presetOf } from './presets.ts';
import { misspelt, problemOf } from './problems.ts';
import { oidcSettings } from './sign-in.ts';
import { timeStampSettings } from './time-stamps.ts';

export type Config = ReturnType<typeof readConfig>;

/** The configuration is invalid. The message has one line for each problem. */
export class ConfigError extends Error {}

/**
 * The settings of the environment: times in ms, sizes in bytes (docs/configuration.md). An empty variable counts as not set.
 * Throws ConfigError with every invalid variable.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const parsed = parse(env);
  return {
    ...serverSettings(parsed),
    ...databaseSettings(parsed),
    s3: bucketSettings(parsed),
    sealFiles: sealFiles(parsed),
    mail: mailSettings(parsed),
    timeStamps: timeStampSettings(parsed),
    ...signInSettings(parsed),
    limits: limitsOf(parsed),
  };
}

function parse(env: Record<string, string | undefined>): Environment {
  const definedVariables = withNewNames(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== '')),
  );
  const preset = presetOf(definedVariables.LIMITS);
  const { success, data, error } = environment.safeParse({ ...preset, ...definedVariables });
  if (success) return data;
  const problems = error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${problemOf(name, issue, definedVariables[name])}`;
  });
  const lines = [...problems, ...misspeltVariables(env).map((line) => `  ${line}`)];
  throw new ConfigError(`Some environment variables are invalid:\n${lines.join('\n')}`);
}

/** Variables by the names that they had before, which are read as well. */
const FORMER_NAMES = { SIGNED_ADDRESS_MINUTES: 'SIGNED_URL_MINUTES' };

function withNewNames(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const renamed = Object.entries(FORMER_NAMES).flatMap(([former, name]) =>
    env[former] === undefined ? [] : [[name, env[former]]],
  );
  return { ...Object.fromEntries(renamed), ...env };
}

/** A line for each variable that is nearly one of ours. It may be another program's, so it does not prevent a start. */
export const misspeltVariables = (env: Record<string, string | undefined>): string[] =>
  misspelt(env, VARIABLES).map(([name, meant]) => `${name} is not a setting: did you mean ${meant}?`);

const serverSettings = (env: Environment) => ({
  port: env.PORT,
  host: env.HOST,
  publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
  trustProxy: env.TRUST_PROXY,
  corsOrigins: env.CORS_ORIGINS,
  logLevel: env.LOG_LEVEL,
  metricsToken: env.METRICS_TOKEN,
  keepAlive: env.KEEP_ALIVE_SECONDS * SECOND,
  stopDelay: env.STOP_DELAY_SECONDS * SECOND,
  introspection: env.INTROSPECTION === 'on',
  persistedOperations: env.PERSISTED_OPERATIONS && {
    file: resolve(env.PERSISTED_OPERATIONS),
    only: env.PERSISTED_OPERATIONS_ONLY === 'true',
  },
  sweepEvery: env.SWEEP_MINUTES * MINUTE,
  ocrLanguages: env.OCR_LANGUAGES,
  office: { office: env.OFFICE, unsandboxed: env.OFFICE_UNSANDBOXED === '1' },
  clientDocuments: env.CLIENT_METADATA_DOCUMENTS === 'true',
  webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE === 'true',
});

const databaseSettings = (env: Environment) => ({
  databaseUrl: env.DATABASE_URL,
  databasePool: env.DATABASE_POOL,
  databaseWait: env.DATABASE_WAIT_SECONDS * SECOND,
  redisUrl: env.REDIS_URL,
  redisPrefix: env.REDIS_PREFIX,
  dataDir: resolve(env.DATA_DIR),
  embeddedSync: env.EMBEDDED_SYNC === 'on',
  encryptionKeys: env.ENCRYPTION_KEY,
});

/** Who gets an account, and the identity provider. */
const signInSettings = (env: Environment) => ({ signUp: env.SIGN_UP, oidc: oidcSettings(env) });

/** The operator's seal certificate and its key, as absolute paths. */
function sealFiles({
  SEAL_CERTIFICATE: sealCertificate,
  SEAL_KEY: key,
  SEAL_KEY_PASSPHRASE: passphrase,
}: Environment) {
  if (!sealCertificate || !key) return undefined;
  return { certificate: resolve(sealCertificate), key: resolve(key), passphrase };
}

/** Undefined without a bucket: files are on disk. With S3_ENDPOINT the default is path style: few other servers have a host name for each bucket. */
function bucketSettings(env: Environment) {
  const { S3_BUCKET, S3_PREFIX, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_BUCKET) return undefined;
  const hasKeys = S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY;
  return {
    bucket: S3_BUCKET,
    prefix: S3_PREFIX ? `${S3_PREFIX.replace(/\/$/, '')}/` : undefined,
    endpoint: S3_ENDPOINT,
    region: env.S3_REGION ?? 'us-east-1',
    credentials: hasKeys
      ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
      : undefined,
    forcePathStyle: env.S3_FORCE_PATH_STYLE ? env.S3_FORCE_PATH_STYLE === 'true' : S3_ENDPOINT !== undefined,
    // S3 allows at most 10,000 parts of at least 5 MiB; parts of 8 MiB suffice for uploads of up to 78 GiB.
    partBytes: Math.max(8 * 2 ** 20, Math.ceil(env.UPLOAD_BYTES / 10_000 / 2 ** 20) * 2 ** 20),
  };
}
