import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type { Total } from '../../../domain/kernel/listing-count.ts';
import type PrismaTypes from '../../../generated/pothos.ts';
import { getDatamodel } from '../../../generated/pothos.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DEPRECATIONS } from '../../../lib/deprecation/deprecations.ts';
import type { GraphContext } from '../../engine/context.ts';
import { batchedClient } from './batched-client.ts';
import './deprecation-plugin.ts';
import './field-options.ts';

interface SchemaTypes {
  Context: GraphContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Connection: { total: () => PromiseLike<Total> };
  Scalars: {
    ID: { Input: string; Output: string };
    String: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    BigInt: { Input: bigint; Output: bigint };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: ['deprecation', PrismaPlugin, RelayPlugin],
  deprecations: DEPRECATIONS,
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => batchedClient(ctx) as unknown as PrismaClient,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: false,
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
  relay: {
    nodesOnConnection: { description: 'The items of the page, as the nodes of its edges.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The items of the page, each with its cursor.',
    },
    nodeFieldOptions: { description: 'The item.' },
    cursorFieldOptions: { description: 'The position of the item, for `after` and `before`.' },
    pageInfoFieldOptions: { description: 'The cursors of the page, and whether there are more pages.' },
    pageInfoTypeOptions: { description: 'The position of a page in its list, as Relay has it.' },
    hasNextPageFieldOptions: { description: 'Whether items follow the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether items precede the page.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null for an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last item; null for an empty page.' },
    firstArgOptions: { description: 'At most this many items, from the start or after `after`.' },
    afterArgOptions: { description: 'Only items after this cursor.' },
    lastArgOptions: { description: 'At most this many items, from the end or before `before`.' },
    beforeArgOptions: { description: 'Only items before this cursor.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
});
