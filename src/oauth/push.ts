import type { Context as Call } from 'hono';
import { openRequest, type PushedParameters, pushRequest } from '../domain/oauth/pushed-request.ts';
import { SECOND } from '../lib/time.ts';
import { jsonResponse } from './answer.ts';
import { ASK_PARAMETERS, readAsk, readTarget } from './authorization-request.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { invalidRequest, OAuthError, RedirectedError } from './errors.ts';
import { readForm } from './form.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { requireResources } from './resource.ts';
import type { AuthorizationServer } from './service.ts';

const PREFIX = 'urn:ietf:params:oauth:request_uri:';

const PUSHED = ['client_id', 'redirect_uri', ...ASK_PARAMETERS];

/** `POST /oauth/par` (RFC 9126 §2): an authorization request from the client itself, judged before anyone is asked. */
export async function pushEndpoint(parts: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, [...CLIENT_PARAMETERS, ...PUSHED, 'request_uri']);
  const client = await authenticateClient(parts, call, form);
  if (form.has('request_uri')) throw invalidRequest('request_uri cannot be pushed.');
  const target = await readTarget(parts.db, form);
  await toldDirectly(async () => {
    readAsk(target, form);
    await requireResources(parts, target.client, form);
  });
  const { pushedRequest: lifetime } = parts.limits;
  const secret = await pushRequest(parts.db, client.id, encode(form), lifetime);
  return jsonResponse(call, { request_uri: PREFIX + secret, expires_in: Math.floor(lifetime / SECOND) }, 201);
}

/** RFC 9126 §2.3: what the redirect would have told. */
async function toldDirectly(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw error instanceof RedirectedError ? new OAuthError(error.code, error.message) : error;
  }
}

/** Never the secret that came along. */
const encode = (form: Parameters): string =>
  new URLSearchParams([
    ...PUSHED.flatMap((name) => {
      const value = form.value(name);
      return value === undefined ? [] : [[name, value]];
    }),
    ...(form.values('resource') ?? []).map((uri) => ['resource', uri]),
  ]).toString();

/** The parameters of an authorization request. */
export interface Requested {
  parameters: Parameters;
  /** What names them, where the client pushed them. */
  pushed?: string;
  /** Why a pushed one can no longer be answered for the first time. */
  ended?: PushedParameters['endReason'];
}

/** RFC 9126 §4. Beside a request_uri only client_id counts; nobody is redirected where it is no good (RFC 9101 §6.2). */
export async function requested({ db }: AuthorizationServer, query: string): Promise<Requested> {
  const parameters = readParameters(query);
  if (!parameters.has('request_uri')) return { parameters };
  const [uri, clientId] = [parameters.value('request_uri'), parameters.value('client_id')];
  const pushed = uri?.startsWith(PREFIX) ? uri.slice(PREFIX.length) : undefined;
  const opened = pushed && clientId ? await openRequest(db, clientId, pushed) : undefined;
  if (opened === undefined)
    throw new OAuthError(
      'invalid_request_uri',
      'There is no such request. Go back to the application and try again.',
    );
  return { parameters: readParameters(opened.parameters), pushed, ended: opened.endReason };
}
