import {
  ConsoleNotificationsDocument,
  ConsoleUpdateNotificationsDocument,
  type NotificationDelivery,
  type NotificationKind,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { NotificationsView } from './view.tsx';

const PREFERENCES = storedOperation(ConsoleNotificationsDocument);
const UPDATE = storedMutation(ConsoleUpdateNotificationsDocument);
const PATH = '/console/notifications';

/** `/console/notifications`: how the viewer is notified of each kind of event. */
export function notificationPages(pages: ConsolePages): void {
  pages.get(PATH, (visit) => showPreferences(visit));
  pages.post(PATH, save);
}

async function showPreferences(visit: Visit, error?: FormError): Promise<Response> {
  const { viewer } = await visit.run(PREFERENCES, {});
  const done = visit.query('done') === 'saved' ? 'Your choice was saved.' : undefined;
  const children = NotificationsView({ formToken: visit.formToken, ...viewer, error });
  return consolePage({ visit, title: 'Notifications', done, error, children });
}

/** Stores what the form has: fields that are left out stay as they are. */
const save = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const { viewer } = await visit.run(PREFERENCES, {});
      const preferences = viewer.notificationPreferences.flatMap(({ kind }) => chosen(form, kind));
      await visit.run(UPDATE, { input: { preferences, timeZone: form.get('timeZone') } });
      return seeOther(`${PATH}?done=saved`);
    },
    (error) => showPreferences(visit, error),
  );

const chosen = (form: URLSearchParams, kind: NotificationKind) => {
  const delivery = form.get(kind) as NotificationDelivery | null;
  return delivery === null ? [] : [{ kind, delivery }];
};
