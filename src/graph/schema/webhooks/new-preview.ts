import type { GraphQLError } from 'graphql';
import { createsWebhooks, previewNewWebhook } from '../../../domain/webhooks/webhook-preview.ts';
import { eventSelector, selectionErrors } from '../../operations/event-selection.ts';
import { WHOLE_EVENT } from '../../operations/selection-document.ts';
import { KINDS } from '../events/feed.ts';
import { builder } from '../kernel/builder.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Organization } from '../organizations/type.ts';

interface SelectionFault {
  message: string;
  line: number | null;
  column: number | null;
}

const SelectionError = builder.objectRef<SelectionFault>('SelectionError').implement({
  description: 'What is wrong with a selection.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What is wrong.' }),
    line: t.exposeInt('line', {
      nullable: true,
      description: 'The line of its text, from 1; null if it is about all of it.',
    }),
    column: t.exposeInt('column', { nullable: true, description: 'The character of the line, from 1.' }),
  }),
});

const faultOf = ({ message, locations }: GraphQLError): SelectionFault => ({
  message,
  line: locations?.[0]?.line ?? null,
  column: locations?.[0]?.column ?? null,
});

interface NewPreview {
  errors: SelectionFault[];
  body: string | null;
}

const NewWebhookPreview = builder.objectRef<NewPreview>('NewWebhookPreview').implement({
  scope: 'events:read',
  description: 'What a webhook that is not created yet would send.',
  fields: (t) => ({
    errors: t.expose('errors', {
      type: [SelectionError],
      description: 'What is wrong with the selection, 10 errors at most; empty for a valid one.',
    }),
    body: t.exposeString('body', {
      nullable: true,
      description:
        'The body for the newest event that it would be sent, with an example for `webhookId`; null if there is none yet, or with errors.',
    }),
  }),
});

builder.objectField(Organization, 'webhookPreview', (t) =>
  t.field({
    type: NewWebhookPreview,
    nullable: true,
    hidden: MANAGERS_ONLY,
    runsSelection: 'query',
    description:
      'What a webhook with these settings would send for the newest event, with your rights, for owners and admins; null for others. Nothing is sent. It costs as much as the selection.',
    args: {
      kinds: t.arg.stringList({ description: KINDS }),
      projectId: t.arg.id({ description: 'Only events of this project.' }),
      query: t.arg.string({ description: `A selection of Event. When left out: \`${WHOLE_EVENT}\`` }),
    },
    resolve: async ({ id }, { query, ...filter }, ctx, { schema }) => {
      if (!createsWebhooks(ctx, id)) return null;
      const settings = { ...filter, organizationId: id, query: query ?? WHOLE_EVENT };
      const errors = selectionErrors(schema, settings.query, ctx).map(faultOf);
      if (errors.length > 0) return { errors, body: null };
      return { errors, body: await previewNewWebhook(ctx, settings, eventSelector(schema)) };
    },
  }),
);
