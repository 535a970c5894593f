/** Of sockets; then PostgreSQL's for what it cannot do now (class 08, 53, 57P); then Prisma's for the same. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|P1001|P1002|P1008|P1017|P2024|P2028)$/;

/** The client's own words where there is no code: for a connection that ended, and for an answer that did not come. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** What Prisma's adapter makes of a socket's failure, whose code it drops. */
const KINDS = /^(ConnectionClosed|DatabaseNotReachable|SocketTimeout)$/;

/** A failure of the socket, of PostgreSQL or of Prisma; of its adapter, which says in `cause` what it got, and of what Prisma puts around that. */
interface Failure {
  code?: unknown;
  cause?: { kind?: unknown; originalCode?: unknown };
  meta?: { driverAdapterError?: unknown };
}

/** Whether a failure says that the database cannot be reached now, and nothing about what it was asked. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  const { code, cause, meta } = error as Failure;
  return (
    CODES.test(String(code)) ||
    CODES.test(String(cause?.originalCode)) ||
    KINDS.test(String(cause?.kind)) ||
    WORDS.test(error.message) ||
    isDatabaseUnreachable(meta?.driverAdapterError)
  );
}
