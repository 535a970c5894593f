/** Codes of sockets, then PostgreSQL's (class 08, 53, 57P), then Prisma's, that mean the server cannot be used now. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|P1001|P1002|P1008|P1017|P2024|P2028)$/;

/** Messages of node-postgres, which gives no code for a closed connection or a timeout. */
const MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Kinds into which Prisma's adapter maps socket errors, dropping their code. */
const PRISMA_KINDS = /^(ConnectionClosed|DatabaseNotReachable|SocketTimeout)$/;

/** What errors of sockets, PostgreSQL, Prisma's adapter (`cause`) and Prisma (`meta`) may carry. */
interface ErrorDetails {
  code?: unknown;
  cause?: { kind?: unknown; originalCode?: unknown };
  meta?: { driverAdapterError?: unknown };
}

/** Whether an error means that the database cannot be reached now, and nothing about the statement itself. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  const { code, cause, meta } = error as ErrorDetails;
  return (
    CODES.test(String(code)) ||
    CODES.test(String(cause?.originalCode)) ||
    PRISMA_KINDS.test(String(cause?.kind)) ||
    MESSAGES.test(error.message) ||
    isDatabaseUnreachable(meta?.driverAdapterError)
  );
}
