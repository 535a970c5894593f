import { badValue, DomainError, type ErrorCode } from '../../../domain/kernel/errors.ts';
import { requireBatchLimit } from '../../../domain/kernel/input.ts';
import type { GraphContext } from '../../engine/context.ts';
import { COMMAND } from '../../operations/weights.ts';

/** Runs the mutation with these items of its input, all or none. */
type Run<Result> = (ctx: GraphContext, items: readonly unknown[]) => Result | Promise<Result>;

/** Why items of the input, by their index, were left out. */
export type Failures = ReadonlyMap<number, DomainError>;

interface Batch<Result> {
  ctx: GraphContext;
  /** The member of the input that lists the items. */
  member: string;
  items: readonly unknown[];
  run: Run<Result>;
}

/** Runs of one batch, so that a request remains short. One run finds all unknown ids, and all malformed values. */
const MAX_RUNS = 100;

/** What an item may fail with; everything else fails the mutation. */
const OF_ITEMS: ReadonlySet<ErrorCode> = new Set(['BAD_USER_INPUT', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);

/**
 * Runs a mutation with as many items as can be changed together, in one transaction: an item that fails is left out, and the
 * others are tried again, each time for the price of a command. The result is undefined if none is left. Throws what no item is
 * the reason of; then nothing is changed.
 */
export async function skipFailed<Result>(
  ctx: GraphContext,
  member: string,
  items: readonly unknown[],
  command: Run<Result>,
): Promise<{ result?: Result; failures: Failures }> {
  requireBatchLimit(items, ctx.limits.batchMax, member);
  const batch = { ctx, member, items, run: counted(member, command) };
  const failures = new Map<number, DomainError>();
  for (;;) {
    const left = [...items.keys()].filter((index) => !failures.has(index));
    if (left.length === 0) return { failures };
    try {
      return { result: await runWith(batch, left), failures };
    } catch (error) {
      const failed = await failuresOf(batch, left, error);
      if (failed.size === 0) throw error;
      for (const [index, failure] of failed) failures.set(index, failure);
    }
  }
}

const runWith = async <Result>({ ctx, items, run }: Batch<Result>, indexes: readonly number[]) =>
  run(
    ctx,
    indexes.map((index) => items[index]),
  );

/** The operation has paid for the first run. Throws BAD_USER_INPUT after MAX_RUNS. */
function counted<Result>(member: string, run: Run<Result>): Run<Result> {
  let runs = 0;
  return async (ctx, items) => {
    runs += 1;
    if (runs > MAX_RUNS) throw new TooManyRuns(member);
    if (runs > 1) await ctx.chargeMeasured?.(COMMAND);
    return run(ctx, items);
  };
}

class TooManyRuns extends Error {
  constructor(readonly member: string) {
    super();
  }
}

const isOfItem = (error: unknown): error is DomainError =>
  error instanceof DomainError && OF_ITEMS.has(error.code);

/** The items that caused a failure: those that its paths name, or those that fail without the others if it has no path. */
async function failuresOf<Result>(
  batch: Batch<Result>,
  indexes: readonly number[],
  error: unknown,
): Promise<Failures> {
  if (error instanceof TooManyRuns)
    throw badValue(error.member, 'has too many items that fail, one after the other; send less at once');
  if (!isOfItem(error)) throw error;
  const { member } = batch;
  const failures = new Map<number, DomainError>();
  for (const each of [error, ...error.further]) {
    const index = indexes[itemPosition(member, each) ?? indexes.length];
    if (index !== undefined && !failures.has(index)) failures.set(index, atIndex(member, index, each));
  }
  if (failures.size > 0 || (error.at !== undefined && error.at !== member)) return failures;
  const [first = 0] = indexes;
  if (indexes.length === 1) return new Map([[first, atIndex(member, first, error)]]);
  const half = indexes.length >> 1;
  const parts = [indexes.slice(0, half), indexes.slice(half)];
  return new Map([...(await failuresAmong(batch, parts[0])), ...(await failuresAmong(batch, parts[1]))]);
}

/** Runs the mutation with some of the items, without its effect. */
async function failuresAmong<Result>(
  batch: Batch<Result>,
  indexes: readonly number[] = [],
): Promise<Failures> {
  try {
    await runWith({ ...batch, ctx: { ...batch.ctx, db: withoutEffect(batch.ctx.db) } }, indexes);
  } catch (error) {
    if (!(error instanceof Undone)) return failuresOf(batch, indexes, error);
  }
  return new Map();
}

/** Ends a transaction, and the command that runs it, where it would commit. */
class Undone extends Error {}

const withoutEffect = (db: GraphContext['db']): GraphContext['db'] => ({
  ...db,
  transact: (work) =>
    db.transact(async (session) => {
      await work(session);
      throw new Undone();
    }),
});

/** The position in `ids` of the path `ids.2`, or `folders.2.name`. */
function itemPosition(member: string, { at = '' }: DomainError): number | undefined {
  const [name, position] = at.split('.');
  return name === member && /^\d+$/.test(position ?? '') ? Number(position) : undefined;
}

/** The same failure, with the path of the item in the whole input. */
function atIndex(member: string, index: number, error: DomainError): DomainError {
  const below = itemPosition(member, error) === undefined ? [] : (error.at?.split('.').slice(2) ?? []);
  const at = [member, index, ...below].join('.');
  return error.renamed(error.subject && error.subject === error.at ? { at, subject: at } : { at });
}
