import {
  ConsoleCreateKeysDocument,
  ConsoleDeleteKeysDocument,
  ConsoleKeysDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { DAY, fromNow } from '../../../lib/time.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import { checkedScopes, keyScopeChoices } from '../ui/scopes.ts';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { DEFAULT_LIFETIME, type Entered, LIFETIMES, NewKeyView } from './new-view.tsx';
import { CreatedKeyView, KeysView } from './view.tsx';

const KEYS = storedOperation(ConsoleKeysDocument);
const CREATE = storedMutation(ConsoleCreateKeysDocument);
const DELETE = storedMutation(ConsoleDeleteKeysDocument);

const PATH = '/console/keys';
const NEW_PATH = `${PATH}/new`;
const CRUMBS = [{ href: PATH, text: 'API keys' }];

/** `/console/keys`: the API keys of the viewer. */
export function keyPages(pages: ConsolePages): void {
  pages.get(PATH, (visit) => showKeys(visit));
  pages.getFresh(NEW_PATH, (visit) => showForm(visit, undefined, suggestion(visit)));
  pages.postFresh(PATH, () => NEW_PATH, create);
  pages.post(`${PATH}/revoke`, revoke);
}

async function showKeys(visit: Visit, error?: FormError): Promise<Response> {
  const after = visit.query('after');
  const { viewer } = await visit.run(KEYS, { after });
  return consolePage({
    visit,
    title: 'API keys',
    done:
      visit.query('done') === 'revoked' ? 'The key was revoked, with those that it had created.' : undefined,
    error,
    children: KeysView({
      path: PATH,
      newHref: NEW_PATH,
      keys: viewer.apiKeys,
      after,
      formToken: visit.formToken,
    }),
  });
}

async function showForm(visit: Visit, error?: FormError, entered?: Entered): Promise<Response> {
  const scopes = await keyScopeChoices(visit);
  const view = NewKeyView({ action: PATH, formToken: visit.formToken, scopes, error, entered });
  return consolePage({ visit, title: 'New API key', crumbs: CRUMBS, error, children: view });
}

/** What a link to the form suggests, such as that of GraphiQL: `?name=…&scopes=TASKS_READ,TASKS_WRITE`. */
const suggestion = (visit: Visit): Entered => ({
  name: visit.query('name') ?? '',
  scopes: visit.query('scopes')?.split(',') ?? [],
  lifetime: DEFAULT_LIFETIME,
});

async function create(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = {
    name: (form.get('name') ?? '').trim(),
    scopes: form.getAll('scopes'),
    lifetime: form.get('lifetime') ?? '',
  };
  const error = errorOf(entered);
  if (error) return showForm(visit, error, entered);
  return attempt(
    async () => {
      const expiresAt = expiryOf(entered.lifetime);
      const keys = [{ name: entered.name, scopes: checkedScopes(form), expiresAt }];
      const { createApiKeys } = await visit.run(CREATE, { input: { keys } });
      const [created] = createApiKeys.created;
      if (!created) throw new Error('no key was created');
      const view = CreatedKeyView({ created, listHref: PATH });
      return consolePage({ visit, title: 'Your new API key', crumbs: CRUMBS, children: view });
    },
    (refusal) => showForm(visit, refusal, entered),
  );
}

function errorOf({ name, scopes, lifetime }: Entered): FormError | undefined {
  if (!name) return fieldError('name', 'Enter a name.');
  if (scopes.length === 0) return fieldError('scopes', 'Choose at least one scope.');
  if (!LIFETIMES.some(({ value }) => value === lifetime))
    return fieldError('lifetime', 'Choose when it ends.');
  return undefined;
}

const expiryOf = (days: string): string | null =>
  days === 'never' ? null : fromNow(Number(days) * DAY).toISOString();

const revoke = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(DELETE, { input: { apiKeyIds: [form.get('key') ?? ''] } });
      return seeOther(`${PATH}?done=revoked`);
    },
    (error) => showKeys(visit, error),
  );
