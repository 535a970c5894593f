/** Of sockets; then PostgreSQL's for what it cannot do now (class 08, 53, 57P); then Prisma's for the same. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|P1001|P1002|P1008|P1017|P2024|P2028)$/;

/** The client's own words where there is no code: for a connection that ended, and for an answer that did not come. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Whether a failure says that the database cannot be reached now, and nothing about what it was asked. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return CODES.test(String(code)) || WORDS.test(error.message);
}
