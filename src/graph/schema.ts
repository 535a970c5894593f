import './scalars.ts';
import './node.ts';
import './viewer.ts';
import './organization-mutations.ts';
import './project-lists.ts';
import './project-mutations.ts';
import './project-deletion.ts';
import './viewer-mutations.ts';
import './subscription.ts';
import './webhook-mutations.ts';
import './work.ts';
import './event-feed.ts';
import './member-mutations.ts';
import './invitation-mutations.ts';
import './project-member-mutations.ts';
import './folder-mutations.ts';
import './task-lists.ts';
import './task-mutations.ts';
import './document-lists.ts';
import './document-mutations.ts';
import './file-pages.ts';
import './file-text.ts';
import './picture.ts';
import './retention.ts';
import './upload.ts';
import './field-lists.ts';
import './field-mutations.ts';
import './form-mutations.ts';
import './form-field-mutations.ts';
import './form-submission.ts';
import './api-key.ts';
import './process-mutations.ts';
import './approval-lists.ts';
import './approval-mutations.ts';
import './client-mutations.ts';
import './authorization.ts';
import './security-event.ts';
import './search-template-mutations.ts';
import './signature-form-mutations.ts';
import './signature-session-mutations.ts';
import './signature-sealing.ts';
import './evidence.ts';
import './signature-template-mutations.ts';
import './signing.ts';
import { builder } from './builder.ts';

builder.queryType({ description: 'Everything that can be read. Needs the scope `read`.' });
builder.mutationType({
  description:
    'Everything that can be changed. Needs the scope `write`. With a header `Idempotency-Key` of your own (1 to 255 characters), a request is carried out once however often it arrives, and its first answer comes again for 24 hours (unless this server is set otherwise), with `Idempotency-Replayed: true`.',
});

/** The whole graph. */
export const schema = builder.toSchema();
