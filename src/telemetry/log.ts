import pino, { type Logger } from 'pino';
import { SECOND } from '../lib/time.ts';

/** Keys whose values are secrets; redacted at any depth. */
const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'signedUrl',
];

/**
 * Secrets by their prefix, JWTs (such as those of signed URLs), credentials after Bearer or Basic, and passwords in URLs:
 * the last defence against one in a text, such as the message of an error.
 */
const SECRETS =
  /\bdg[a-z]_[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)*|\b(Bearer|Basic) +[\w.~+/=-]{8,}|:\/\/[^\s/:@"]+:[^\s/@"]+@/gi;

const withoutSecrets = (line: string): string => line.replace(SECRETS, '[redacted]');

interface LoggedError {
  type: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  cause?: LoggedError | undefined;
  errors?: LoggedError[];
}

/** Only these members of an error are logged: libraries attach whole requests, with all headers, to their errors. */
function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && depth < 3 && { cause: serializeError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < 3 && { errors: error.errors.slice(0, 10).map((each) => serializeError(each, depth + 1)) }),
  };
}

/** The log of the process: one JSON object a line on the standard output, written in batches, without secrets. */
export function openLog(
  level: string,
  destination = pino.destination({ sync: false, minLength: 4096 }),
): Logger {
  const log = pino(
    {
      level,
      redact: {
        paths: SECRET_KEYS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: { err: (error) => serializeError(error) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
  setInterval(() => log.flush(), SECOND).unref();
  return log;
}
