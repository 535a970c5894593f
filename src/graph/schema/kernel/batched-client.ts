import DataLoader from 'dataloader';
import { notFound } from '../../../domain/kernel/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { GraphContext } from '../../engine/context.ts';

interface Key {
  organizationId: string;
  id: string;
}

/** A query for one row and its selection. */
interface RowQuery {
  where: { organizationId_id: Key };
  select?: object;
  include?: object;
}

interface Row {
  id: string;
}

interface Delegate {
  findMany(query: object): Promise<Row[]>;
}

/** Called by the Prisma plugin to load rows with their relations. Throws NOT_FOUND for a row that was deleted meanwhile. */
export interface BatchedModel {
  findUniqueOrThrow(query: RowQuery): Promise<Row>;
}

const clients = new WeakMap<GraphContext, Record<string, BatchedModel>>();

/**
 * Prisma's client of a request, as the plugin uses it: rows of one model with the same selection, which the plugin loads
 * one by one, are read by one statement. Prisma would combine them as well, at a higher cost for each row.
 */
export const batchedClient = (ctx: GraphContext): Record<string, BatchedModel> =>
  memoize(clients, ctx, () => {
    const models = new Map<string, BatchedModel>();
    return new Proxy({} as Record<string, BatchedModel>, {
      has: () => true,
      get: (_, model: string) => memoize(models, model, () => batchedModel(ctx, model)),
    });
  });

function batchedModel({ db }: GraphContext, model: string): BatchedModel {
  const loaders = new Map<string, DataLoader<Key, Row>>();
  return {
    findUniqueOrThrow({ where, ...selection }) {
      const text = JSON.stringify(selection, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
      const load = (keys: readonly Key[]) =>
        db.readByPrisma((client) =>
          findRows(client[model as keyof PrismaClient] as unknown as Delegate, selection, keys),
        );
      return memoize(loaders, text, () => new DataLoader(load, { cache: false })).load(
        where.organizationId_id,
      );
    },
  };
}

/** The rows in the order of their keys; one statement for each organization, usually one. */
async function findRows(
  delegate: Delegate,
  selection: object,
  keys: readonly Key[],
): Promise<(Row | Error)[]> {
  const ids = new Map<string, Set<string>>();
  for (const { organizationId, id } of keys) memoize(ids, organizationId, () => new Set<string>()).add(id);
  const batches = await Promise.all(
    [...ids].map(([organizationId, within]) =>
      delegate.findMany({ ...selection, where: { organizationId, id: { in: [...within] } } }),
    ),
  );
  const rows = new Map(batches.flat().map((row) => [row.id, row]));
  return keys.map(({ id }) => rows.get(id) ?? notFound('Item'));
}
