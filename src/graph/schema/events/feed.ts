import { eventsOfOrganization } from '../../../domain/events/event-feed.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { Organization } from '../organizations/type.ts';
import { Event } from './type.ts';

export const KINDS =
  'Only events of these kinds, such as `task.completed`; `task.*` stands for all that happens to tasks.';

builder.objectField(Organization, 'events', (t) =>
  t.connection({
    type: Event,
    description:
      'What happened in it, oldest first unless you say otherwise: events of what you may see now. The cursor of an ' +
      'event is its sequence. To miss none, go on after the last one you have read, whenever that was.',
    args: {
      kinds: t.arg.stringList({ description: KINDS }),
      projectId: t.arg.id({ description: 'Only what happened in this project.' }),
      direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: 'By their sequence.' }),
    },
    resolve: ({ id }, args, ctx) =>
      connect(
        ctx,
        eventsOfOrganization(ctx, id),
        { organizationId: id, id },
        args,
        ({ kinds, projectId, direction, ...page }) => ({
          ...page,
          filter: { kinds, projectId },
          orderBy: { field: 'SEQUENCE', direction: direction ?? 'ASC' },
        }),
      ),
  }),
);
