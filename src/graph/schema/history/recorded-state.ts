import { findEvents } from '../../../domain/events/event.ts';
import {
  findRecordedStates,
  type RecordedState as StateRow,
} from '../../../domain/history/recorded-state.ts';
import type { Parent } from '../../../domain/kernel/listing.ts';
import { toHex } from '../../../lib/text/hex.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Document } from '../documents/type.ts';
import { Event } from '../events/type.ts';
import { Folder } from '../folders/type.ts';
import { builder } from '../kernel/builder.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Project } from '../projects/type.ts';

const hex = (bytes: Uint8Array | null): string | null => bytes && toHex(bytes);

const RecordedState = builder.objectRef<StateRow>('RecordedState').implement({
  scope: 'documents:read',
  extensions: IN_PAST,
  description: `How an item was recorded, with what proves it. \`hash\` is SHA-256 over the bytes of \`salt\` and \`content\` as JSON
with members sorted at every depth. The hash of \`event\` covers SHA-256 over the bytes of \`hashes\`, one after the other.`,
  fields: (t) => ({
    from: t.expose('fromSequence', {
      type: 'BigInt',
      description: 'The number of the first event of the transaction that wrote it.',
    }),
    to: t.expose('toSequence', {
      type: 'BigInt',
      nullable: true,
      description: 'The number of the event that ended it; null while it is current.',
    }),
    content: t.exposeString('content', {
      description:
        'The item as JSON: its columns, and lists of parts. Assignees have ids in place of their addresses.',
    }),
    salt: t.string({
      nullable: true,
      description: 'In hex; null for what was recorded when the server was updated, which no event covers.',
      resolve: ({ salt }) => hex(salt),
    }),
    hash: t.string({
      nullable: true,
      description: 'In hex; null like `salt`.',
      resolve: ({ hash }) => hex(hash),
    }),
    hashes: t.stringList({
      description:
        'The hashes of all states that the transaction wrote, in hex, in order of the ids of their items.',
      resolve: ({ hashes }) => hashes.map((each) => toHex(each)),
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'The event that covers it; null like `salt`, or if you do not see it.',
      resolve: ({ eventId }, _, { load }) => (eventId ? load.one(findEvents, eventId) : null),
    }),
  }),
});

const recordedState = {
  type: RecordedState,
  nullable: true,
  description: 'Its state as it was recorded; null if it is not recorded yet.',
  extensions: IN_PAST,
  resolve: ({ organizationId, id }: Parent, _: object, { load }: GraphContext) =>
    load.of(findRecordedStates, id, { organizationId, id }),
} as const;

builder.objectField(Project, 'recordedState', (t) => t.field(recordedState));
builder.objectField(Folder, 'recordedState', (t) => t.field(recordedState));
builder.objectField(Document, 'recordedState', (t) => t.field(recordedState));
