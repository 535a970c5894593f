import type { PGlite } from '@electric-sql/pglite';

/**
 * The part of PGlite that pglite-prisma-adapter uses, in which a failed COMMIT rejects. The adapter attaches a handler for a
 * failed BEGIN to the transaction's promise, and takes what `catch` returns for the outcome of COMMIT.
 */
export const withCommitErrors = (pglite: PGlite): PGlite =>
  ({
    query: (...args) => pglite.query(...args),
    exec: (...args) => pglite.exec(...args),
    transaction: (work) => keepRejecting(pglite.transaction(work)),
  }) satisfies Pick<PGlite, 'query' | 'exec' | 'transaction'> as Partial<PGlite> as PGlite;

/** A promise whose `catch` attaches the handler, and returns the promise itself, which still rejects. */
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
