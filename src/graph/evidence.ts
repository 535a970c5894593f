import { evidenceOf } from '../domain/evidence.ts';
import { builder } from './builder.ts';
import { Document } from './document.ts';

builder.objectField(Document, 'evidence', (t) =>
  t.string({
    nullable: true,
    description:
      'The evidence of its signatures, as the text of a JSON file: what happened to it, with the hashes that chain it; its revisions, signers and sessions; signed. `npm run admin -- check-evidence` holds it against the sealed PDF, without the server. Null where nothing is sealed.',
    resolve: ({ id }, _, ctx) => evidenceOf(ctx, id),
  }),
);
