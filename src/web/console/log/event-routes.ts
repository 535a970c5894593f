import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleOneEventDocument,
  ConsoleRedactEventDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, isManager, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { EventView } from './event-view.tsx';

const EVENT = storedOperation(ConsoleOneEventDocument);
const REDACT = storedMutation(ConsoleRedactEventDocument);

/** An event of the log of an organization; its owners and admins remove its content. */
export function eventPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/log/:event{evt_[0-9a-z]{26}}`;
  pages.get(path, (visit) => showEvent(visit));
  pages.post(`${path}/redact`, redact);
}

async function showEvent(visit: Visit, error?: FormError, reason?: string): Promise<Response> {
  const id = visit.param('organization');
  const data = await visit.run(EVENT, { id: visit.param('event'), organization: id });
  const organization = visible(data.organization);
  const { node: event } = data;
  if (event?.__typename !== 'Event' || event.organizationId !== id) throw notFound('Event');
  const path = sectionHref(visit, 'log');
  const props = {
    event,
    path,
    formToken: visit.formToken,
    mayRedact: isManager(organization),
    error,
    reason,
  };
  return consolePage({
    ...{ visit, organization, error, title: `Event ${event.sequence}` },
    crumbs: [{ href: path, text: 'Log' }],
    done: visit.query('done') === 'redacted' ? 'The content was removed.' : undefined,
    children: EventView(props),
  });
}

async function redact(visit: Visit, form: URLSearchParams): Promise<Response> {
  const reason = form.get('reason') ?? '';
  const eventId = visit.param('event');
  if (form.get('confirm') !== 'yes')
    return showEvent(visit, fieldError('confirm', 'Check the box to remove the content.'), reason);
  const input = { organizationId: visit.param('organization'), eventIds: [eventId], reason };
  return attempt(
    async () => {
      await visit.run(REDACT, { input });
      return seeOther(`${sectionHref(visit, 'log')}/${eventId}?done=redacted`);
    },
    (error) => showEvent(visit, error, reason),
  );
}
