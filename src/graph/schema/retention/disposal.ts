import {
  type Disposal as DisposalRow,
  disposalsOfOrganization,
  findDisposals,
} from '../../../domain/disposition/disposal.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';

const Disposal = builder.objectRef<DisposalRow>('Disposal').implement({
  scope: 'events:read',
  description: 'Documents that were purged together, as a retention policy says, and what proves it.',
  interfaces: [Node],
  fields: (t) => ({
    policyId: t.exposeID('policyId', { description: 'The policy, which may be deleted.' }),
    policyName: t.exposeString('policyName', { description: 'What it was called.' }),
    documentCount: t.exposeInt('documentCount', { description: 'How many documents.' }),
    bytesFreed: t.expose('bytesFreed', {
      type: 'BigInt',
      description: 'The size of those files that nothing else in the organization uses.',
    }),
    certificate: t.exposeString('certificate', {
      description:
        'What was disposed of and why, as JSON: ids, digests of all revisions, times, and who approved it.',
    }),
    certificateSha256: t.string({
      description:
        'The SHA-256 of the certificate, as the event `documents.disposed` has it, in hexadecimal.',
      resolve: ({ sha256 }) => toHex(sha256),
    }),
    seal: t.string({
      description:
        'The seal of the certificate, by the key that seals documents: a detached signature in CMS (RFC 5652), DER in base64.',
      resolve: ({ seal }) => Buffer.from(seal).toString('base64'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were purged.' }),
  }),
});

nodeType('Disposal', ({ load }, id) => load.one(findDisposals, id));

builder.objectField(Organization, 'disposals', (t) =>
  t.connection(
    {
      scope: 'events:read',
      type: Disposal,
      hidden: MANAGERS_ONLY,
      description: 'What retention policies disposed of, for its owners and admins. Newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          disposalsOfOrganization,
          { organizationId: id, id },
          args,
          fixedOrder('CREATED_AT', 'DESC'),
        ),
    },
    connectionOf(Disposal),
  ),
);
