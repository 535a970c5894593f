import type { ClientKind, CreateClientInput, Scope } from '../../../generated/operations/graphql.ts';
import { type FormError, fieldError } from '../ui/form-error.ts';

/** What was typed into the form of an application. */
export interface EnteredApp {
  name: string;
  /** One of KINDS. */
  kind: string;
  redirectUris: string;
  resourceUri: string;
  homePageUrl: string;
  privacyUrl: string;
  scopes: string[];
}

/** A native application is a public one on a device. */
export const KINDS = [
  {
    value: 'CONFIDENTIAL',
    text: 'On a server',
    hint: 'It keeps a secret, with which it gets tokens.',
  },
  {
    value: 'PUBLIC',
    text: 'In a browser',
    hint: 'A page with JavaScript. It has no secret, and proves itself with PKCE.',
  },
  {
    value: 'NATIVE',
    text: 'On a device',
    hint: 'A program on a phone or computer. It has no secret, and may use any port of 127.0.0.1.',
  },
  {
    value: 'RESOURCE_SERVER',
    text: 'An API of your own',
    hint: 'It accepts tokens and checks them here. It gets none itself, so it needs no redirect address and no scope.',
  },
] as const;

export const enteredApp = (form: URLSearchParams): EnteredApp => ({
  name: (form.get('name') ?? '').trim(),
  kind: form.get('kind') ?? '',
  redirectUris: form.get('redirectUris') ?? '',
  resourceUri: (form.get('resourceUri') ?? '').trim(),
  homePageUrl: (form.get('homePageUrl') ?? '').trim(),
  privacyUrl: (form.get('privacyUrl') ?? '').trim(),
  scopes: form.getAll('scopes'),
});

/** The lines of a text that are not empty. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What is missing before the graph is asked. */
export function missingIn({
  name,
  kind,
  redirectUris,
  resourceUri,
  scopes,
}: EnteredApp): FormError | undefined {
  if (!name) return fieldError('name', 'Enter a name.');
  if (!KINDS.some(({ value }) => value === kind)) return fieldError('kind', 'Choose where it runs.');
  if (kind === 'RESOURCE_SERVER')
    return resourceUri ? undefined : fieldError('resourceUri', 'Enter the address of the API.');
  if (linesOf(redirectUris).length === 0)
    return fieldError('redirectUris', 'Enter at least one redirect address.');
  if (scopes.length === 0) return fieldError('scopes', 'Choose at least one scope.');
  return undefined;
}

/** The members that both createClient and updateClient take. */
export function settingsOf(entered: EnteredApp) {
  const { name, kind, redirectUris, resourceUri, homePageUrl, privacyUrl, scopes } = entered;
  return kind === 'RESOURCE_SERVER'
    ? { name, resourceUri, redirectUris: [], scopes: [] }
    : { name, redirectUris: linesOf(redirectUris), scopes: scopes as Scope[], homePageUrl, privacyUrl };
}

export const creationOf = (organizationId: string, entered: EnteredApp): CreateClientInput => ({
  organizationId,
  kind: (entered.kind === 'NATIVE' ? 'PUBLIC' : entered.kind) as ClientKind,
  ...(entered.kind === 'NATIVE' ? { native: true } : {}),
  ...settingsOf(entered),
});

/** A message about one of several redirect addresses names it. */
export function withRedirectUri(error: FormError, { redirectUris }: EnteredApp): FormError {
  const uri = error.at === 'redirectUris' && linesOf(redirectUris)[error.position ?? -1];
  return uri ? { ...error, text: `${uri}: ${error.text}` } : error;
}
