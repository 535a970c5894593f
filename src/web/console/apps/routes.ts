import {
  ConsoleAppsDocument,
  ConsoleCreateAppDocument,
  ConsoleNewAppDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, managed, visible } from '../ui/frame.tsx';
import { scopeChoices } from '../ui/scopes.ts';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { CreatedAppView } from './created-view.tsx';
import { creationOf, type EnteredApp, enteredApp, missingIn, withRedirectUri } from './entered.ts';
import { NewAppView } from './new-view.tsx';
import { AppsView } from './view.tsx';

const APPS = storedOperation(ConsoleAppsDocument);
const NEW = storedOperation(ConsoleNewAppDocument);
const CREATE = storedMutation(ConsoleCreateAppDocument);

/** `apps` of an organization: its own applications. */
export function appListPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/apps`;
  pages.get(path, showApps);
  pages.getFresh(`${path}/new`, (visit) => showForm(visit));
  pages.postFresh(path, (call) => `${call.req.path}/new`, create);
}

const pathOf = (visit: Visit): string => sectionHref(visit, 'apps');
const crumbsOf = (visit: Visit) => [{ href: pathOf(visit), text: 'Applications' }];

async function showApps(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const organization = visible(
    (await visit.run(APPS, { id: visit.param('organization'), after })).organization,
  );
  return consolePage({
    visit,
    title: 'Applications',
    organization,
    done:
      visit.query('done') === 'deleted' ? 'The application was deleted, and its tokens ended.' : undefined,
    children: AppsView({ organization, after }),
  });
}

async function showForm(visit: Visit, error?: FormError, entered?: EnteredApp): Promise<Response> {
  const organization = managed((await visit.run(NEW, { id: visit.param('organization') })).organization);
  const scopes = await scopeChoices(visit);
  return consolePage({
    visit,
    title: 'New application',
    organization,
    crumbs: crumbsOf(visit),
    error,
    children: NewAppView({ action: pathOf(visit), formToken: visit.formToken, scopes, error, entered }),
  });
}

async function create(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredApp(form);
  const error = missingIn(entered);
  if (error) return showForm(visit, error, entered);
  return attempt(
    async () => {
      const input = creationOf(visit.param('organization'), entered);
      const { createClient } = await visit.run(CREATE, { input });
      const { organization } = await visit.run(NEW, { id: visit.param('organization') });
      return consolePage({
        visit,
        title: 'Your new application',
        organization: organization ?? undefined,
        crumbs: crumbsOf(visit),
        children: CreatedAppView({ ...createClient, appsPath: pathOf(visit) }),
      });
    },
    (refusal) => showForm(visit, withRedirectUri(refusal, entered), entered),
  );
}
