import pino, { type Logger } from 'pino';
import { SECOND } from '../lib/time.ts';

/** Members that hold what opens something, wherever they stand. */
const MEMBERS = [
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
 * Our secrets by their prefix, JWTs (those of signed addresses are some), and what follows Bearer or Basic: the last
 * line against one that found its way into a text, such as the message of an error.
 */
const SECRETS =
  /\bdg[a-z]_[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)*|\b(Bearer|Basic) +[\w.~+/=-]{8,}|:\/\/[^\s/:@"]+:[^\s/@"]+@/gi;

export const withoutSecrets = (line: string): string => line.replace(SECRETS, '[redacted]');

interface Told {
  type: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  cause?: Told | undefined;
}

/** Libraries hang requests with all their headers on their errors: only what is named here is written down. */
function told(error: unknown, depth = 0): Told {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && depth < 3 && { cause: told(cause, depth + 1) }),
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
      redact: { paths: MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      serializers: { err: (error) => told(error) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
  setInterval(() => log.flush(), SECOND).unref();
  return log;
}
