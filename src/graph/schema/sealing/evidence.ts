import { writeEvidenceOf } from '../../../domain/sealing/evidence.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';

builder.objectField(Document, 'evidence', (t) =>
  t.string({
    scope: 'signatures:read',
    nullable: true,
    description:
      'The evidence of its signatures, as the text of a JSON file: what happened to it, with the hashes that chain it; its revisions, signers and sessions; signed. `npm run admin -- check-evidence` holds it against the sealed PDF, without the server. Null where nothing is sealed.',
    resolve: ({ id }, _, ctx) => writeEvidenceOf(ctx, id),
  }),
);
