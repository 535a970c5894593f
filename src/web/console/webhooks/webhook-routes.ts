import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleDeleteWebhooksDocument,
  ConsoleRotateWebhookSecretDocument,
  ConsoleTestWebhookDocument,
  ConsoleUpdateWebhookDocument,
  ConsoleWebhookDocument,
  type UpdateWebhookInput,
  type WebhookDeliveryState,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { EDITOR_POLICY } from '../../graphiql/editor-policy.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { type EnteredWebhook, enteredWebhook, settingsOf } from './entered.ts';
import { runTrial, type Trial } from './trial.ts';
import { WebhookSecretView } from './view.tsx';
import { STATES, WebhookView } from './webhook-view.tsx';

const WEBHOOK = storedOperation(ConsoleWebhookDocument);
const UPDATE = storedMutation(ConsoleUpdateWebhookDocument);
const DELETE = storedMutation(ConsoleDeleteWebhooksDocument);
const ROTATE = storedMutation(ConsoleRotateWebhookSecretDocument);
const TEST = storedMutation(ConsoleTestWebhookDocument);

/** `webhooks/WEBHOOK`: its deliveries and settings. */
export function webhookPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/webhooks/:webhook`;
  pages.get(path, (visit) => showWebhook(visit));
  pages.post(path, update);
  pages.post(`${path}/try`, tryChanged);
  pages.post(`${path}/enabled`, (visit, form) => change(visit, { enabled: form.get('enabled') === 'yes' }));
  pages.post(`${path}/test`, test);
  pages.post(`${path}/secret`, rotate);
  pages.post(`${path}/delete`, remove);
}

const listOf = (visit: Visit): string => sectionHref(visit, 'webhooks');
const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('webhook')}`;

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  changed: 'The webhook was changed.',
  tested: 'The newest event is on its way. Reload the page to see what the receiver answers.',
  redelivered: 'What had failed is sent again.',
};

async function readWebhook(visit: Visit, page: { after?: string; states?: WebhookDeliveryState[] } = {}) {
  const id = visit.param('organization');
  const { node, ...read } = await visit.run(WEBHOOK, { id, webhookId: visit.param('webhook'), ...page });
  const organization = managed(read.organization);
  if (node?.__typename !== 'Webhook' || node.organizationId !== id) throw notFound('Webhook');
  return { organization, webhook: node };
}

/** The page of a webhook, after `error`. Throws NOT_FOUND, and FORBIDDEN for members. */
export async function showWebhook(
  visit: Visit,
  error?: FormError,
  entered?: EnteredWebhook,
  trial?: Trial,
): Promise<Response> {
  const after = visit.query('after');
  const state = STATES.find((each) => each === visit.query('state'));
  const { organization, webhook } = await readWebhook(visit, { after, states: state && [state] });
  const { projects } = organization;
  return consolePage({
    visit,
    title: new URL(webhook.url).host,
    policy: EDITOR_POLICY,
    organization,
    crumbs: [{ href: listOf(visit), text: 'Webhooks' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: WebhookView({
      ...{ path: pathOf(visit), formToken: visit.formToken, webhook, projects: projects.nodes },
      ...{ state, after, error, entered, trial },
    }),
  });
}

async function update(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredWebhook(form);
  if (!entered.url) return showWebhook(visit, fieldError('url', 'Enter an address.'), entered);
  return change(visit, { ...settingsOf(entered), expectedVersion: Number(form.get('version')) }, entered);
}

/** Shows the page again with what was typed, and what its selection gives. */
function tryChanged(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredWebhook(form);
  return attempt(
    async () => showWebhook(visit, undefined, entered, await runTrial(visit, entered)),
    (error) => showWebhook(visit, error, entered),
  );
}

const change = (
  visit: Visit,
  changes: Omit<UpdateWebhookInput, 'webhookId'>,
  entered?: EnteredWebhook,
): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(UPDATE, { input: { webhookId: visit.param('webhook'), ...changes } });
      return seeOther(`${pathOf(visit)}?done=changed`);
    },
    (error) => showWebhook(visit, error, entered),
  );

const test = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(TEST, { input: { webhookId: visit.param('webhook') } });
      return seeOther(`${pathOf(visit)}?done=tested`);
    },
    (error) => showWebhook(visit, error),
  );

const rotate = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      const { organization } = await readWebhook(visit);
      const { rotateWebhookSecret } = await visit.run(ROTATE, {
        input: { webhookId: visit.param('webhook') },
      });
      return consolePage({
        visit,
        title: 'The new secret',
        organization,
        crumbs: [
          { href: listOf(visit), text: 'Webhooks' },
          { href: pathOf(visit), text: new URL(rotateWebhookSecret.webhook.url).host },
        ],
        children: WebhookSecretView({ ...rotateWebhookSecret, href: pathOf(visit) }),
      });
    },
    (error) => showWebhook(visit, error),
  );

async function remove(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showWebhook(visit, fieldError('confirm', 'Check the box to delete the webhook.'));
  return attempt(
    async () => {
      await visit.run(DELETE, { input: { webhookIds: [visit.param('webhook')] } });
      return seeOther(`${listOf(visit)}?done=deleted`);
    },
    (error) => showWebhook(visit, error),
  );
}
