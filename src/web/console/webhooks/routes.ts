import {
  ConsoleCreateWebhooksDocument,
  ConsoleNewWebhookDocument,
  ConsoleWebhooksDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { EDITOR_POLICY } from '../../graphiql/editor-policy.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type EnteredWebhook, enteredWebhook, settingsOf } from './entered.ts';
import { NewWebhookView } from './form-view.tsx';
import { runTrial, type Trial } from './trial.ts';
import { WebhookSecretView, WebhooksView } from './view.tsx';

const WEBHOOKS = storedOperation(ConsoleWebhooksDocument);
const NEW = storedOperation(ConsoleNewWebhookDocument);
const CREATE = storedMutation(ConsoleCreateWebhooksDocument);

/** `webhooks` of an organization, for its owners and admins. */
export function webhookListPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/webhooks`;
  pages.get(path, showWebhooks);
  pages.get(`${path}/new`, (visit) => showForm(visit));
  pages.post(path, create);
  pages.post(`${path}/try`, tryNew);
}

const pathOf = (visit: Visit): string => sectionHref(visit, 'webhooks');
const crumbsOf = (visit: Visit) => [{ href: pathOf(visit), text: 'Webhooks' }];

async function showWebhooks(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const organization = managed(
    (await visit.run(WEBHOOKS, { id: visit.param('organization'), after })).organization,
  );
  return consolePage({
    visit,
    title: 'Webhooks',
    organization,
    done: visit.query('done') === 'deleted' ? 'The webhook was deleted.' : undefined,
    children: WebhooksView({ path: pathOf(visit), webhooks: organization.webhooks, after }),
  });
}

async function readForm(visit: Visit) {
  const organization = managed((await visit.run(NEW, { id: visit.param('organization') })).organization);
  return organization;
}

interface Shown {
  error?: FormError;
  entered?: EnteredWebhook;
  trial?: Trial;
}

async function showForm(visit: Visit, shown: Shown = {}): Promise<Response> {
  const organization = await readForm(visit);
  return consolePage({
    visit,
    title: 'New webhook',
    policy: EDITOR_POLICY,
    organization,
    crumbs: crumbsOf(visit),
    error: shown.error,
    children: NewWebhookView({
      action: pathOf(visit),
      formToken: visit.formToken,
      projects: organization.projects.nodes,
      ...shown,
    }),
  });
}

/** Shows the form again, with what its selection gives. */
function tryNew(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredWebhook(form);
  return attempt(
    async () => showForm(visit, { entered, trial: await runTrial(visit, entered) }),
    (error) => showForm(visit, { error, entered }),
  );
}

async function create(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredWebhook(form);
  if (!entered.url) return showForm(visit, { error: fieldError('url', 'Enter an address.'), entered });
  return attempt(
    async () => {
      const organization = await readForm(visit);
      const input = { organizationId: organization.id, webhooks: [settingsOf(entered)] };
      const { createWebhooks } = await visit.run(CREATE, { input });
      const [created] = createWebhooks.created;
      if (!created) throw new Error('no webhook was created');
      return consolePage({
        visit,
        title: 'Your new webhook',
        organization,
        crumbs: crumbsOf(visit),
        children: WebhookSecretView({ ...created, href: `${pathOf(visit)}/${created.webhook.id}` }),
      });
    },
    (error) => showForm(visit, { error, entered }),
  );
}
