import {
  archiveUrlOf,
  exportsOfOrganization,
  findExports,
  type OrganizationExport as OrganizationExportRow,
} from '../../../domain/exports/export.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { OWNERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { author, toAuthor, User } from '../users/type.ts';

const OrganizationExportState = builder.enumType('OrganizationExportState', {
  description: 'How far an export is.',
  values: {
    QUEUED: { description: 'It waits for its turn.' },
    RUNNING: { description: 'It is being written.' },
    READY: { description: 'The archive can be downloaded until `expiresAt`.' },
    WITHDRAWN: {
      description:
        'Something in it was purged, redacted or erased since, so it cannot be downloaded any more. Export again.',
    },
    FAILED: { description: 'It could not be written, see `failure`.' },
  } as const,
});

export const OrganizationExport = builder.objectRef<OrganizationExportRow>('OrganizationExport').implement({
  scope: 'read',
  description:
    'An archive of a whole organization: its rows, files and event log, as a bag (BagIt 1.0) in a tar archive. For its owners.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'Which organization.' }),
    state: t.expose('state', { type: OrganizationExportState, description: 'How far it is.' }),
    size: t.expose('size', {
      type: 'BigInt',
      nullable: true,
      description: 'Size of the archive in bytes; null until it is written.',
    }),
    fileCount: t.exposeInt('fileCount', {
      nullable: true,
      description: 'How many files of the organization are in it; null until it is written.',
    }),
    sequence: t.string({
      nullable: true,
      description: 'Sequence of the last event that is in it; null until it is written.',
      resolve: ({ sequence }) => (sequence === null ? null : String(sequence)),
    }),
    tagManifestSha256: t.string({
      nullable: true,
      description:
        'The SHA-256 of its tag manifest, which stands for all of the archive, in hexadecimal; the event `organization.exported` has the same. Null until it is written.',
      resolve: ({ sha256 }) => sha256 && toHex(sha256),
    }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Why it was not written; null unless it FAILED.',
    }),
    createdBy: t.field({
      type: User,
      description: 'Who started it.',
      extensions: toAuthor('created_by_id'),
      resolve: ({ createdById }, _, ctx) => author(ctx, createdById),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was written, or failed; null until then.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is deleted; null until it is written.',
      resolve: ({ completedAt, expiresAt }) => completedAt && expiresAt,
    }),
    url: t.string({
      nullable: true,
      description:
        'A URL of the archive, without a credential, until `expiresAt`. Range requests continue at any byte. Null unless it is READY, and you started it, with the same credential or in a browser session.',
      resolve: (row, _, ctx) => archiveUrlOf(ctx, row),
    }),
  }),
});

nodeType('OrganizationExport', ({ load }, id) => load.one(findExports, id));

builder.objectField(Organization, 'exports', (t) =>
  t.connection(
    {
      scope: 'read',
      type: OrganizationExport,
      hidden: OWNERS_ONLY,
      description: 'Archives of the last day, for its owners. Newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          exportsOfOrganization,
          { organizationId: id, id },
          args,
          fixedOrder('CREATED_AT', 'DESC'),
        ),
    },
    connectionOf(OrganizationExport),
  ),
);
