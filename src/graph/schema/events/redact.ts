import type { Event as EventRow } from '../../../domain/events/event.ts';
import { redactEvents } from '../../../domain/redaction/redaction.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Event } from './type.ts';

const redactEventsInput = mutationInput({
  description: 'Events whose content is removed.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Their organization.' }),
    eventIds: t.idList({
      required: true,
      description: 'Which events; a comment is named by its own id, or by that of its event.',
    }),
    reason: t.string({
      required: true,
      description: 'Why; up to 1,000 characters. It is kept, and shown to all who see the events.',
    }),
  }),
});

const redactEventsPayload = mutationPayload<{ events: EventRow[] }>({
  description: 'The redacted events.',
  fields: (t) => ({
    events: t.expose('events', {
      scope: 'events:read',
      type: [Event],
      description: 'In the order of the input.',
    }),
  }),
});

mutation('redactEvents', {
  scope: 'write',
  description:
    'Removes the content of events for good: the text of a comment, and the values before and after. What happened, when and by whom is kept, and the hash chain stays valid; an event `event.redacted` for each subject says who removed it and why. For owners and admins of the organization; CONFLICT for events that prove a seal, or that are redacted. Not available to applications.',
  argument: 'Which events, and why.',
  input: redactEventsInput,
  payload: redactEventsPayload,
  batch: { items: 'eventIds', empty: { events: [] } },
  resolve: async (input, ctx) => ({ events: await redactEvents(ctx, input) }),
});
