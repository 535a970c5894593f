import type { Context as Call } from 'hono';
import { isMetadataUrl } from '../domain/oauth/client.ts';
import { openRequest, type PushedParameters, pushRequest } from '../domain/oauth/pushed-request.ts';
import { SECOND } from '../lib/time.ts';
import { REQUEST_PARAMETERS, readAuthorizationRequest, readTarget } from './authorization-request.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { authenticateClient, CLIENT_PARAMETERS } from './client-auth.ts';
import { invalidRequest, OAuthError, RedirectedError } from './errors.ts';
import { readForm } from './form.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { isForAgents, requireResources } from './resource.ts';
import { jsonResponse } from './responses.ts';

const PREFIX = 'urn:ietf:params:oauth:request_uri:';

const PUSHED_PARAMETERS = ['client_id', 'redirect_uri', ...REQUEST_PARAMETERS];

/** `POST /oauth/par` (RFC 9126 §2): stores an authorization request of an authenticated client, once it is validated. */
export async function pushEndpoint(server: AuthorizationServer, call: Call): Promise<Response> {
  const form = await readForm(call, [...CLIENT_PARAMETERS, ...PUSHED_PARAMETERS, 'request_uri']);
  if (isMetadataUrl(form.value('client_id') ?? ''))
    throw new OAuthError('unauthorized_client', 'A client with a metadata document cannot push requests.');
  const client = await authenticateClient(server, call, form);
  if (form.has('request_uri')) throw invalidRequest('request_uri cannot be pushed.');
  const target = await readTarget(server.db, form);
  await withoutRedirect(async () => {
    readAuthorizationRequest(target, form, isForAgents(server, form));
    await requireResources(server, target.client, form);
  });
  const { pushedRequest: lifetime } = server.limits;
  const secret = await pushRequest(server.db, client.id, encodeParameters(form), lifetime);
  return jsonResponse(call, { request_uri: PREFIX + secret, expires_in: Math.floor(lifetime / SECOND) }, 201);
}

/** Turns errors for the redirect into direct ones (RFC 9126 §2.3). */
async function withoutRedirect(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw error instanceof RedirectedError ? new OAuthError(error.code, error.message) : error;
  }
}

/** The parameters to store; the client's secret is not among them. */
const encodeParameters = (form: Parameters): string =>
  new URLSearchParams([
    ...PUSHED_PARAMETERS.flatMap((name) => {
      const value = form.value(name);
      return value === undefined ? [] : [[name, value]];
    }),
    ...(form.values('resource') ?? []).map((uri) => ['resource', uri]),
  ]).toString();

/** The parameters of an authorization request. */
export interface LoadedRequest {
  parameters: Parameters;
  /** Secret of the request_uri, if the client pushed the request. */
  pushedSecret?: string;
  /** Why a pushed request can no longer be answered, if so. */
  endReason?: PushedParameters['endReason'];
}

/**
 * The parameters of a query, or of the pushed request that it names (RFC 9126 §4), where all but client_id is ignored.
 * Throws invalid_request_uri, without a redirect (RFC 9101 §6.2).
 */
export async function loadRequest({ db }: AuthorizationServer, query: string): Promise<LoadedRequest> {
  const parameters = readParameters(query);
  if (!parameters.has('request_uri') || isUnsupported(parameters)) return { parameters };
  const [uri, clientId] = [parameters.value('request_uri'), parameters.value('client_id')];
  const pushedSecret = uri?.startsWith(PREFIX) ? uri.slice(PREFIX.length) : undefined;
  const opened = pushedSecret && clientId ? await openRequest(db, clientId, pushedSecret) : undefined;
  if (opened === undefined)
    throw new OAuthError(
      'invalid_request_uri',
      'This authorization request does not exist. Go back to the application and try again.',
    );
  return { parameters: readParameters(opened.parameters), pushedSecret, endReason: opened.endReason };
}

/** A request_uri of the application beside the other parameters, for which OpenID Connect has an error code (Core §6.2). */
const isUnsupported = (parameters: Parameters): boolean =>
  parameters.has('redirect_uri') && !(parameters.value('request_uri') ?? PREFIX).startsWith(PREFIX);
