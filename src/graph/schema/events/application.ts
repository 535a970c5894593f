import type { Event } from '../../../domain/events/event.ts';
import {
  type EventApplication as ApplicationRow,
  findApplications,
  findApplicationsOfGrants,
} from '../../../domain/events/event-application.ts';
import { typeOfId } from '../../../lib/id.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';

export const EventApplication = builder.objectRef<ApplicationRow>('EventApplication').implement({
  scope: [],
  description:
    'An application that acted on behalf of a user. It may belong to another organization, or be deleted.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'Its client_id, which is the id of its Client.' }),
    name: t.exposeString('name', { description: 'Its current name.' }),
  }),
});

/** The application that caused an event; null if a user or the server acted directly. */
export function applicationOf(
  { clientId, credentialId }: Pick<Event, 'clientId' | 'credentialId'>,
  { load }: GraphContext,
) {
  if (clientId) return load.one(findApplications, clientId);
  return credentialId && typeOfId(credentialId) === 'Grant'
    ? load.one(findApplicationsOfGrants, credentialId, ({ grantId }) => grantId)
    : null;
}
