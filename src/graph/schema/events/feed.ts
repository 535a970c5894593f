import { eventsOfOrganization } from '../../../domain/events/event-feed.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Organization } from '../organizations/type.ts';
import { Event } from './type.ts';

export const KINDS =
  'Only events of these kinds, such as `task.completed`; `task.*` stands for all events of tasks.';

builder.objectField(Organization, 'events', (t) =>
  t.connection(
    {
      type: Event,
      description:
        'Its events, oldest first by default: those of objects that are visible to you now. The cursor of an event is its ' +
        'sequence. To miss none, continue after the last event that you have read, however long ago.',
      args: {
        kinds: t.arg.stringList({ description: KINDS }),
        projectId: t.arg.id({ description: 'Only events of this project.' }),
        actorId: t.arg.id({ description: 'Only events of what this user did.' }),
        clientId: t.arg.id({
          description: 'Only events of what this application did, whoever used it, by its client_id.',
        }),
        since: t.arg({ type: 'DateTime', description: 'Only events from this time on.' }),
        until: t.arg({ type: 'DateTime', description: 'Only events before this time.' }),
        direction: t.arg({
          type: OrderDirection,
          defaultValue: 'ASC',
          description: 'The direction of the order by sequence.',
        }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          eventsOfOrganization(ctx, id),
          { organizationId: id, id },
          args,
          ({ kinds, projectId, actorId, clientId, since, until, direction, ...page }) => ({
            ...page,
            filter: { kinds, projectId, actorId, clientId, since, until },
            orderBy: { field: 'SEQUENCE', direction: direction ?? 'ASC' },
          }),
        ),
    },
    connectionOf(Event),
  ),
);
