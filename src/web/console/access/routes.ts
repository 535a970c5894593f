import {
  type ApplicationPolicy,
  ConsoleAccessDocument,
  ConsoleSetApplicationPolicyDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { AccessView } from './view.tsx';

const ACCESS = storedOperation(ConsoleAccessDocument);
const SET_POLICY = storedMutation(ConsoleSetApplicationPolicyDocument);

/** `access` of an organization: which applications of others act in it, for its owners and admins. */
export function accessPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/access`;
  pages.get(path, (visit) => showAccess(visit));
  pages.post(path, setPolicy);
}

async function showAccess(visit: Visit, error?: FormError): Promise<Response> {
  const after = visit.query('after');
  const isWaiting = visit.query('waiting') === 'yes';
  const id = visit.param('organization');
  const organization = managed((await visit.run(ACCESS, { id, after, isWaiting })).organization);
  return consolePage({
    visit,
    title: 'Applications of others',
    organization,
    done:
      visit.query('done') === 'policy'
        ? 'It takes effect at the next request of each application.'
        : undefined,
    error,
    children: AccessView({
      path: sectionHref(visit, 'access'),
      formToken: visit.formToken,
      organization,
      ...{ after, isWaiting, error },
    }),
  });
}

const setPolicy = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const applicationPolicy = form.get('applicationPolicy') as ApplicationPolicy;
      await visit.run(SET_POLICY, {
        input: { organizationId: visit.param('organization'), applicationPolicy },
      });
      return seeOther(`${sectionHref(visit, 'access')}?done=policy`);
    },
    (error) => showAccess(visit, error),
  );
