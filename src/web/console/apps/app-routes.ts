import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAppDocument,
  ConsoleCreateServiceAccountDocument,
  ConsoleDeleteAppsDocument,
  ConsoleEndAuthorizationsDocument,
  ConsoleRotateSecretDocument,
  ConsoleUpdateAppDocument,
  type OrganizationRole,
  type TokenFormat,
  type UpdateClientInput,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import { scopeChoices } from '../ui/scopes.ts';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { AppView } from './app-view.tsx';
import { type EnteredApp, enteredApp, missingIn, settingsOf, withRedirectUri } from './entered.ts';
import { kindOf } from './kind-text.ts';
import { chosenEnd, RotatedView } from './secret-view.tsx';

const APP = storedOperation(ConsoleAppDocument);
const UPDATE = storedMutation(ConsoleUpdateAppDocument);
const ROTATE = storedMutation(ConsoleRotateSecretDocument);
const CREATE_ACCOUNT = storedMutation(ConsoleCreateServiceAccountDocument);
const END = storedMutation(ConsoleEndAuthorizationsDocument);
const DELETE = storedMutation(ConsoleDeleteAppsDocument);

/** `apps/APP`: one application. */
export function appPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/apps/:app`;
  pages.get(path, (visit) => showApp(visit));
  pages.post(path, update);
  pages.postFresh(`${path}/secret`, (call) => call.req.path.replace(/\/secret$/, ''), rotate);
  pages.postFresh(
    `${path}/service-account`,
    (call) => call.req.path.replace(/\/service-account$/, ''),
    createAccount,
  );
  pages.postFile(`${path}/logo`, changeLogo);
  pages.post(`${path}/logo/remove`, removeLogo);
  pages.post(`${path}/end`, endAll);
  pages.post(`${path}/delete`, remove);
}

const listOf = (visit: Visit): string => sectionHref(visit, 'apps');
const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('app')}`;

async function readApp(visit: Visit) {
  const id = visit.param('organization');
  const { organization, node } = await visit.run(APP, { id, appId: visit.param('app') });
  if (!organization || node?.__typename !== 'Client' || node.organization.id !== id)
    throw notFound('Application');
  return { organization, app: node };
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  changed: 'The application was changed.',
  logo: 'The logo was changed.',
  serviceAccount: 'The application acts by itself from now on.',
  ended: 'Its tokens ended. People are asked again.',
};

async function showApp(visit: Visit, error?: FormError, entered?: EnteredApp): Promise<Response> {
  const { organization, app } = await readApp(visit);
  const scopes = await scopeChoices(visit);
  return consolePage({
    visit,
    title: app.name,
    organization,
    crumbs: [{ href: listOf(visit), text: 'Applications' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: AppView({ visit, organization, app, path: pathOf(visit), scopes, error, entered }),
  });
}

async function update(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { app } = await readApp(visit);
  const entered = { ...enteredApp(form), kind: kindOf(app) };
  const error = missingIn(entered);
  if (error) return showApp(visit, error, entered);
  return attempt(
    async () => {
      const input = {
        clientId: app.id,
        ...settingsOf(entered),
        tokenFormat: form.get('tokenFormat') as TokenFormat | null,
        expectedVersion: Number(form.get('version')),
      };
      await visit.run(UPDATE, { input });
      return seeOther(`${pathOf(visit)}?done=changed`);
    },
    (refusal) => showApp(visit, withRedirectUri(refusal, entered), entered),
  );
}

async function changeLogo(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { app } = await readApp(visit);
  const logo = form.get('logo');
  if (!logo) return showApp(visit, fieldError('logo', 'Choose a picture.'));
  return updateLogo(visit, { clientId: app.id, logo });
}

async function removeLogo(visit: Visit): Promise<Response> {
  const { app } = await readApp(visit);
  return updateLogo(visit, { clientId: app.id, removeLogo: true });
}

const updateLogo = (visit: Visit, input: UpdateClientInput): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(UPDATE, { input });
      return seeOther(`${pathOf(visit)}?done=logo`);
    },
    (error) => showApp(visit, error),
  );

const rotate = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const { organization, app } = await readApp(visit);
      const previousExpiresAt = chosenEnd(form.get('overlap')).toISOString();
      const { rotateClientSecret } = await visit.run(ROTATE, {
        input: { clientId: app.id, previousExpiresAt },
      });
      return consolePage({
        visit,
        title: 'The new secret',
        organization,
        crumbs: [
          { href: listOf(visit), text: 'Applications' },
          { href: pathOf(visit), text: app.name },
        ],
        children: RotatedView({ ...rotateClientSecret, path: pathOf(visit) }),
      });
    },
    (error) => showApp(visit, error),
  );

const createAccount = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const { app } = await readApp(visit);
      const role = form.get('role') as OrganizationRole;
      await visit.run(CREATE_ACCOUNT, { input: { clientId: app.id, role } });
      return seeOther(`${pathOf(visit)}?done=serviceAccount`);
    },
    (error) => showApp(visit, error),
  );

async function endAll(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { app } = await readApp(visit);
  if (form.get('confirm') !== 'yes')
    return showApp(visit, fieldError('confirm', 'Check the box to end all authorizations.'));
  return attempt(
    async () => {
      await visit.run(END, { input: { clientId: app.id } });
      return seeOther(`${pathOf(visit)}?done=ended`);
    },
    (error) => showApp(visit, error),
  );
}

async function remove(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { app } = await readApp(visit);
  if ((form.get('typed') ?? '').trim() !== app.name.trim())
    return showApp(visit, fieldError('typed', 'Type the name of the application to delete it.'));
  return attempt(
    async () => {
      await visit.run(DELETE, { input: { clientIds: [app.id] } });
      return seeOther(`${listOf(visit)}?done=deleted`);
    },
    (error) => showApp(visit, error),
  );
}
