import type { Mail as MailRow } from '../../../domain/mails/mail.ts';
import { retryMail } from '../../../domain/mails/mail-retry.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Mail } from './type.ts';

const retryMailInput = mutationInput({
  description: 'A mail to send again.',
  fields: (t) => ({ mailId: t.id({ required: true, description: 'Which mail.' }) }),
});

const retryMailPayload = mutationPayload<{ mail: MailRow }>({
  description: 'The mail, which waits again.',
  fields: (t) => ({ mail: t.expose('mail', { type: Mail, description: 'The mail.' }) }),
});

mutation('retryMail', {
  scope: 'write',
  description:
    'Queues a mail again that was refused, given up, not configured, or of which it is unknown whether it arrived. Its text is written anew when it is sent. For owners and admins of the organization; CONFLICT for a mail in another state. Not available to applications.',
  argument: 'Which mail.',
  input: retryMailInput,
  payload: retryMailPayload,
  resolve: async (input, ctx) => ({ mail: await retryMail(ctx, input) }),
});
