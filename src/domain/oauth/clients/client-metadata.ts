import { z } from 'zod';
import { applicationName } from '../../kernel/display-name.ts';
import { LOCAL_HOSTS, pageUrlError, redirectUriError } from '../redirect-uri.ts';

/** What a document says of the application that it describes. */
export interface ClientMetadata {
  name: string;
  redirectUris: string[];
  /** It has a redirect URI on the local machine. */
  native: boolean;
  homePageUrl: string | null;
  privacyUrl: string | null;
}

/** The document cannot be used; the message says why, and is shown to the person who was sent here. */
export class InvalidMetadata extends Error {}

const MAX_URL_LENGTH = 500;

/** Why a client_id is not the URL of a document, or undefined (draft-ietf-oauth-client-id-metadata-document §3). */
export function metadataUrlError(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `must not be longer than ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(url)) return 'must be an absolute https URL';
  const { protocol, href, username, password, hash, search, pathname } = new URL(url);
  if (protocol !== 'https:') return 'must be an absolute https URL';
  if (username || password) return 'must not hold a user name or password';
  if (hash || search || /[?#]/.test(url)) return 'must not hold a query or a fragment';
  if (pathname === '/') return 'must have a path';
  return href === url ? undefined : 'must be a URL in its normal form, without dot segments';
}

/** https, or http on the local machine; native applications have no scheme of their own here, which any other could claim. */
const redirectUri = z.string().superRefine((uri, { addIssue }) => {
  const fault = redirectUriError(uri, false);
  if (fault) addIssue(fault);
});

/** Members that only a client with a secret has (§4.1); everything that is not listed here is ignored (RFC 7591 §2). */
const forbidden = z.undefined({ error: 'is not for a document that anyone can read' }).optional();

const documentShape = z.looseObject({
  client_id: z.string(),
  client_name: applicationName,
  redirect_uris: z.array(redirectUri).min(1, 'must not be empty').max(20, 'takes at most 20'),
  token_endpoint_auth_method: z.literal('none', { error: 'must be none' }).optional(),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'), 'must have authorization_code')
    .optional(),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes('code'), 'must have code')
    .optional(),
  client_secret: forbidden,
  client_secret_expires_at: forbidden,
  client_uri: z.unknown().optional(),
  policy_uri: z.unknown().optional(),
});

/** Reads the document of a URL, which it has to name as its client_id. Throws InvalidMetadata. */
export function readClientMetadata(url: string, text: string): ClientMetadata {
  const result = documentShape.safeParse(parseJson(text));
  if (!result.success) throw new InvalidMetadata(firstIssue(result.error));
  const { client_id, client_name, redirect_uris, client_uri, policy_uri } = result.data;
  if (client_id !== url) throw new InvalidMetadata('its client_id is not its URL');
  return {
    name: client_name,
    redirectUris: redirect_uris,
    native: redirect_uris.some(isLocal),
    homePageUrl: pageOf(url, client_uri),
    privacyUrl: pageOf(url, policy_uri),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidMetadata('it is not JSON');
  }
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  const [name] = issue?.path ?? [];
  return name === undefined ? 'it is not a JSON object' : `its ${String(name)}: ${issue?.message}`;
}

const isLocal = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOCAL_HOSTS.has(hostname);
};

/** Whether a program on the user's computer gets every answer: any other one there can claim to be it (§6). */
export const isOnlyLocal = (redirectUris: readonly string[]): boolean => redirectUris.every(isLocal);

/** A page that people are shown, if it is on the host that describes the application: others might not know of it. */
const pageOf = (url: string, page: unknown): string | null =>
  typeof page === 'string' && !pageUrlError(page) && new URL(page).host === new URL(url).host ? page : null;
