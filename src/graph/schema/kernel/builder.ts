import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type { Total } from '../../../domain/kernel/listing-count.ts';
import type PrismaTypes from '../../../generated/pothos.ts';
import { getDatamodel } from '../../../generated/pothos.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { GraphContext } from '../../engine/context.ts';
import { batchedClient } from './batched-client.ts';

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
  plugins: [PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => batchedClient(ctx) as unknown as PrismaClient,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: false,
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
  relay: {
    nodesOnConnection: true,
    edgesFieldOptions: { nullable: { list: false, items: false } },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
});
