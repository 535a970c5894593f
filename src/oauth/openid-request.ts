import { MAX_EMAIL_LENGTH } from '../lib/text/email-address.ts';
import { RedirectedError } from './errors.ts';
import type { Parameters } from './parameters.ts';

/** The values of `prompt`. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

type Prompt = (typeof PROMPTS)[number];

/** What an OpenID Connect request says of the sign-in (OpenID Connect Core §3.1.2.1). */
export interface OpenIdRequest {
  prompts: ReadonlySet<Prompt>;
  /** How long ago the user may have proved who they are, in seconds. */
  maxAge: number | undefined;
  nonce: string | undefined;
  /** An ID token of the user whom the application expects. */
  idTokenHint: string | undefined;
  /** The e-mail address with which the user may sign in. */
  loginHint: string | undefined;
}

/** Of authorization requests, with the scope `openid`. */
export const OPENID_PARAMETERS = [
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'request',
  'registration',
];

/** Ways to pass parameters that are not supported, each with its own error code (OpenID Connect Core §3.1.2.6). */
const UNSUPPORTED = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const;

const MAX_NONCE_LENGTH = 1_000;

/** Throws RedirectedError. Values of `prompt` that are not known are ignored (OpenID Connect Core §3.1.2.1). */
export function readOpenIdRequest(parameters: Parameters): OpenIdRequest {
  for (const [name, code] of Object.entries(UNSUPPORTED))
    if (parameters.has(name))
      throw new RedirectedError(code as (typeof UNSUPPORTED)['request'], `${name} is not supported.`);
  const nonce = parameters.value('nonce');
  if (nonce !== undefined && nonce.length > MAX_NONCE_LENGTH)
    throw new RedirectedError('invalid_request', 'nonce is too long.');
  const loginHint = parameters.value('login_hint');
  return {
    nonce,
    prompts: readPrompts(parameters),
    maxAge: readMaxAge(parameters.value('max_age')),
    idTokenHint: parameters.value('id_token_hint'),
    loginHint: loginHint && loginHint.length <= MAX_EMAIL_LENGTH ? loginHint : undefined,
  };
}

function readPrompts(parameters: Parameters): Set<Prompt> {
  const names = parameters.value('prompt')?.split(' ') ?? [];
  if (names.includes('none') && names.some((name) => name !== 'none'))
    throw new RedirectedError('invalid_request', 'prompt must not have none beside another value.');
  return new Set(PROMPTS.filter((prompt) => names.includes(prompt)));
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new RedirectedError('invalid_request', 'max_age must be a number of seconds.');
  return Number(text);
}

/** Whether the request allows no page to be shown: its answer is a redirect, whatever happens. */
export const isSilent = (parameters: Parameters): boolean =>
  parameters.value('prompt') === 'none' &&
  (parameters.value('scope')?.split(' ').includes('openid') ?? false);
