import {
  anchorsOfOrganization,
  findLogAnchors,
  type LogInclusion as LogInclusionRow,
  proveConsistency,
  proveInclusion,
} from '../../../domain/anchors/anchor-list.ts';
import { type AnchorRow, hashesOf } from '../../../domain/anchors/anchor-row.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';

const LogAnchor = builder.objectRef<AnchorRow>('LogAnchor');

LogAnchor.implement({
  scope: 'events:read',
  description:
    "A state of an organization's event log that a foreign authority has time-stamped, together with those of others. Hashes are in hexadecimal.",
  interfaces: [Node],
  fields: (t) => ({
    size: t.expose('size', { type: 'BigInt', description: 'The number of its events.' }),
    root: t.exposeString('root', {
      description: 'The root of the Merkle tree over the hashes of these events (RFC 9162).',
    }),
    salt: t.exposeString('salt', { description: 'Random bytes that are part of its leaf.' }),
    position: t.exposeInt('position', { description: 'The index of its leaf.' }),
    organizations: t.exposeInt('organizations', { description: 'The number of leaves.' }),
    path: t.stringList({
      description: 'The hashes that lead from its leaf to the digest.',
      resolve: ({ path }) => hashesOf(path),
    }),
    digest: t.exposeString('digest', { description: 'What the authority has stamped.' }),
    stampedAt: t.expose('stampedAt', {
      type: 'DateTime',
      description: 'When, by the clock of the authority.',
    }),
    authority: t.exposeString('authority', { description: "The subject of the authority's certificate." }),
    token: t.exposeString('token', { description: 'The time-stamp token of RFC 3161, in base64.' }),
  }),
});

nodeType('LogAnchor', ({ load }, id) => load.one(findLogAnchors, id));

const LogInclusion = builder.objectRef<LogInclusionRow>('LogInclusion').implement({
  scope: 'events:read',
  description:
    'The proof that an event is in a state of the log that was time-stamped (RFC 9162 §2.1.3). Hashes are in hexadecimal.',
  fields: (t) => ({
    size: t.expose('size', { type: 'BigInt', description: 'The number of events of the state.' }),
    root: t.exposeString('root', { description: 'Its root.' }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      description: 'The sequence of the event, which is 1 more than the index of its leaf.',
    }),
    hash: t.exposeString('hash', { description: 'The hash of the event, which is the content of its leaf.' }),
    path: t.exposeStringList('path', { description: 'The hashes that lead from the leaf to the root.' }),
  }),
});

builder.objectFields(Organization, (t) => ({
  logAnchors: t.connection(
    {
      type: LogAnchor,
      description:
        'The states of its event log that were time-stamped, newest first: one a day in which something happened. None where the installation asks no authority.',
      resolve: ({ id }, page, ctx) =>
        connect(ctx, anchorsOfOrganization, { organizationId: id, id }, page, (each) => ({
          ...each,
          filter: {},
          orderBy: { field: 'SIZE', direction: 'DESC' },
        })),
    },
    connectionOf(LogAnchor),
  ),
  logInclusion: t.field({
    type: LogInclusion,
    nullable: true,
    description:
      'The proof that an event is in the first state of the log that was time-stamped after it; null if the event is not visible to you, or not in such a state yet.',
    args: { eventId: t.arg.id({ required: true, description: 'Which event.' }) },
    resolve: ({ id }, { eventId }, ctx) => proveInclusion(ctx, id, eventId),
  }),
  logConsistency: t.stringList({
    scope: 'events:read',
    nullable: true,
    description:
      'The hashes, in hexadecimal, which prove that its log was only continued between two states (RFC 9162 §2.1.4); null unless both have been time-stamped.',
    args: {
      from: t.arg({
        type: 'BigInt',
        required: true,
        description: 'The number of events of the older state.',
      }),
      to: t.arg({ type: 'BigInt', required: true, description: 'The number of events of the newer state.' }),
    },
    resolve: ({ id }, { from, to }, ctx) => proveConsistency(ctx, id, { from, to }),
  }),
}));
