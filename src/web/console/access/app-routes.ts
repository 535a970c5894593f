import { notFound } from '../../../domain/kernel/errors.ts';
import {
  type ApplicationDecision,
  ConsoleDecideApplicationDocument,
  ConsoleForeignApplicationDocument,
  ConsoleRevokeApplicationDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { ForeignAppView } from './app-view.tsx';

const APPLICATION = storedOperation(ConsoleForeignApplicationDocument);
const DECIDE = storedMutation(ConsoleDecideApplicationDocument);
const REVOKE = storedMutation(ConsoleRevokeApplicationDocument);

/** `access/APP`: who uses an application of another organization, and whether it may act. */
export function accessAppPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/access/:app`;
  pages.get(path, (visit) => showApplication(visit));
  pages.post(path, decide);
  pages.post(`${path}/revoke`, revoke);
}

const listOf = (visit: Visit): string => sectionHref(visit, 'access');
const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('app')}`;
const idsOf = (visit: Visit) => ({
  organizationId: visit.param('organization'),
  clientId: visit.param('app'),
});

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  decided: 'The decision is stored, and takes effect at its next request.',
  revoked: 'It does not reach the organization any more. Members are asked again.',
};

async function showApplication(visit: Visit, error?: FormError): Promise<Response> {
  const after = visit.query('after');
  const { organizationId: id, clientId } = idsOf(visit);
  const organization = managed((await visit.run(APPLICATION, { id, clientId, after })).organization);
  const { application, applicationPolicy } = organization;
  if (!application) throw notFound('Application');
  return consolePage({
    visit,
    title: application.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'Applications of others' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: ForeignAppView({
      path: pathOf(visit),
      formToken: visit.formToken,
      app: application,
      policy: applicationPolicy,
      ...{ after, error },
    }),
  });
}

const DECISIONS: readonly ApplicationDecision[] = ['APPROVED', 'REFUSED'];

/** Any other value takes the decision back. */
const decide = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const decision = DECISIONS.find((each) => each === form.get('decision')) ?? null;
      await visit.run(DECIDE, { input: { ...idsOf(visit), decision } });
      return seeOther(`${pathOf(visit)}?done=decided`);
    },
    (error) => showApplication(visit, error),
  );

async function revoke(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showApplication(visit, fieldError('confirm', 'Check the box to revoke it for all members.'));
  return attempt(
    async () => {
      await visit.run(REVOKE, { input: idsOf(visit) });
      return seeOther(`${pathOf(visit)}?done=revoked`);
    },
    (error) => showApplication(visit, error),
  );
}
