import type { OutputType } from '@pothos/core';
import { memoize } from '../../../lib/memoize.ts';
import { builder } from './builder.ts';

type NodeType = OutputType<typeof builder.$inferSchemaTypes> & { name: string };

const newConnection = <Type extends NodeType>(type: Type) =>
  builder.connectionObject(
    { type, name: `${type.name}Connection`, description: `A page of a list of ${type.name}.` },
    { name: `${type.name}Edge`, description: `An item of a list of ${type.name}.` },
  );

const connections = new Map<NodeType, unknown>();

/**
 * The `XConnection` with its `XEdge` of a node type X, which the lists of X share: the second argument of `t.connection`.
 * Clients write one fragment for all lists of a type.
 */
export function connectionOf<Type extends NodeType>(type: Type): ReturnType<typeof newConnection<Type>> {
  return memoize(connections, type, () => newConnection(type)) as ReturnType<typeof newConnection<Type>>;
}
