import type { PGlite } from '@electric-sql/pglite';

/**
 * The part of a database that Prisma's adapter uses. The adapter attaches a handler for a failed BEGIN to the promise of
 * a transaction, and takes what that returns for the outcome of COMMIT, so a COMMIT that fails would pass for done.
 */
export const withCommitErrors = (pglite: PGlite): PGlite =>
  ({
    query: (...args) => pglite.query(...args),
    exec: (...args) => pglite.exec(...args),
    transaction: (work) => keepRejecting(pglite.transaction(work)),
  }) satisfies Pick<PGlite, 'query' | 'exec' | 'transaction'> as Partial<PGlite> as PGlite;

/** A promise whose `catch` attaches the handler, and still gives what rejects. */
function keepRejecting<Result>(promise: Promise<Result>): Promise<Result> {
  const attach = promise.catch.bind(promise);
  attach(() => {});
  return Object.assign(promise, {
    catch(handler: (error: unknown) => unknown) {
      attach(handler);
      return promise;
    },
  }) as Promise<Result>;
}
