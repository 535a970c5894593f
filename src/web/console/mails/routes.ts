import {
  ConsoleMailsDocument,
  ConsoleRetryMailDocument,
  type MailState,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { MailsView, STATES_OF } from './view.tsx';

const MAILS = storedOperation(ConsoleMailsDocument);
const RETRY = storedMutation(ConsoleRetryMailDocument);

/** `mails` of an organization, for its owners and admins: what became of each. */
export function mailPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/mails`, (visit) => showMails(visit));
  pages.post(`${organizationPath}/mails/retry`, retry);
}

async function showMails(visit: Visit, error?: FormError): Promise<Response> {
  const after = visit.query('after');
  const only = visit.query('only') ?? '';
  const states: readonly MailState[] | undefined = STATES_OF[only];
  const data = await visit.run(MAILS, {
    id: visit.param('organization'),
    after,
    states: states && [...states],
  });
  const organization = managed(data.organization);
  const path = sectionHref(visit, 'mails');
  const props = {
    path,
    formToken: visit.formToken,
    mails: organization.mails,
    only: states ? only : '',
    after,
  };
  const done = visit.query('done') === 'queued' ? 'The mail is sent again.' : undefined;
  return consolePage({ visit, title: 'Mails', organization, done, error, children: MailsView(props) });
}

const retry = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(RETRY, { input: { mailId: form.get('mail') ?? '' } });
      return seeOther(`${sectionHref(visit, 'mails')}?done=queued`);
    },
    (error) => showMails(visit, error),
  );
