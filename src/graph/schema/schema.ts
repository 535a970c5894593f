import './kernel/scalars.ts';
import './kernel/node.ts';
import './kernel/error-code.ts';
import './viewer/type.ts';
import './organizations/mutations.ts';
import './organizations/storage.ts';
import './projects/lists.ts';
import './projects/mutations.ts';
import './projects/deletion.ts';
import './projects/settings.ts';
import './mails/mutations.ts';
import './viewer/mutations.ts';
import './viewer/rate-limit.ts';
import './accounts/mutations.ts';
import './accounts/factor-mutations.ts';
import './subscriptions/type.ts';
import './webhooks/mutations.ts';
import './webhooks/new-preview.ts';
import './webhooks/signature-check.ts';
import './follows/type.ts';
import './follows/mutations.ts';
import './opened-documents/type.ts';
import './opened-documents/mutations.ts';
import './notifications/type.ts';
import './notifications/mutations.ts';
import './notifications/preferences.ts';
import './membership/work.ts';
import './events/feed.ts';
import './events/anchors.ts';
import './events/redact.ts';
import './comments/lists.ts';
import './membership/member-mutations.ts';
import './membership/invitation-mutations.ts';
import './membership/project-invitation.ts';
import './membership/project-member-mutations.ts';
import './groups/type.ts';
import './groups/mutations.ts';
import './folders/mutations.ts';
import './tasks/lists.ts';
import './tasks/mutations.ts';
import './documents/lists.ts';
import './documents/mutations.ts';
import './documents/file-pages.ts';
import './file-text/type.ts';
import './documents/picture.ts';
import './documents/retention.ts';
import './uploads/mutations.ts';
import './fields/lists.ts';
import './fields/mutations.ts';
import './forms/mutations.ts';
import './forms/field-mutations.ts';
import './forms/submission.ts';
import './forms/filing.ts';
import './oauth/api-key.ts';
import './approvals/process-mutations.ts';
import './approvals/lists.ts';
import './approvals/mutations.ts';
import './oauth/application.ts';
import './oauth/application-mutations.ts';
import './oauth/client-mutations.ts';
import './oauth/authorization.ts';
import './oauth/least-scope.ts';
import './usage/type.ts';
import './usage/deprecation.ts';
import './viewer/security-event.ts';
import './viewer/address-book.ts';
import './viewer/client-data.ts';
import './search/template-mutations.ts';
import './signatures/form-mutations.ts';
import './signatures/session-mutations.ts';
import './signatures/sealing.ts';
import './sealing/evidence.ts';
import './signatures/template-mutations.ts';
import './signing/type.ts';
import { specifiedDirectives } from 'graphql';
import { ERROR_CODES } from '../../domain/kernel/errors.ts';
import { COST_DIRECTIVES } from './cost-directives.ts';
import { builder } from './kernel/builder.ts';

builder.queryType({
  description: `The queries. They require the scope \`read\`, or those of what they select. Failures are top-level errors with \`extensions.code\`, one of the enum ErrorCode: ${Object.keys(ERROR_CODES).join(', ')}.`,
});
builder.mutationType({
  description:
    'The mutations. They require the scope `write`, or those of their areas. With a header `Idempotency-Key` (1 to 255 characters, chosen by the client), a repeated request is executed once: for 24 hours (unless this server is configured otherwise) it gets the first response, with `Idempotency-Replayed: true`.',
});

/** The GraphQL schema. */
export const schema = builder.toSchema({ directives: [...specifiedDirectives, ...COST_DIRECTIVES] });
