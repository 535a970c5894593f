import { notFound } from '../../../domain/kernel/errors.ts';
import { type IdType, typeOfId } from '../../../lib/id.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from './builder.ts';

type Load = (ctx: GraphContext, id: string) => Promise<{ id: string } | null>;

const finders = new Map<IdType, { load: Load; name: string }>();

/**
 * Makes a type available to `node(id:)`. `load` returns null for an invisible object; `name` is the GraphQL type, if it
 * differs from the type of the ids.
 */
export const nodeType = (type: IdType, load: Load, name: string = type): void =>
  void finders.set(type, { load, name });

const finderOf = (id: string) => finders.get(typeOfId(id) as IdType);

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object with an id.',
  resolveType: ({ id }) => finderOf(id)?.name,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id: the same string in GraphQL and REST v1.' }),
  }),
});

/** Any node by its id; null if it does not exist or is not visible. */
export const findNode = async (ctx: GraphContext, id: string): Promise<{ id: string } | null> =>
  (await finderOf(id)?.load(ctx, id)) ?? null;

async function find(ctx: GraphContext, id: string): Promise<{ id: string }> {
  const node = await findNode(ctx, id);
  if (!node) throw notFound('Node');
  return node;
}

builder.queryFields((t) => ({
  node: t.field({
    scope: [],
    type: Node,
    nullable: true,
    description: 'An object by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: (_, { id }, ctx) => find(ctx, id),
  }),
  nodes: t.field({
    scope: [],
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Objects by their ids, in that order; null, and an error, for each that is not found. At most 100.',
    args: { ids: t.arg.idList({ required: true, description: 'The ids.' }) },
    resolve: (_, { ids }, ctx) => ids.map((id) => find(ctx, id)),
  }),
}));
