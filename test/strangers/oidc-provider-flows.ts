import { ask, CALLBACK, encode, type Form, type TestClient, VERIFIER } from '../support/oauth.ts';

export type Kind = 'confidential' | 'open';

/** A server, a client of each kind, another client, and a browser that approves everything. */
export interface Side {
  url: string;
  paths: Record<'authorize' | 'token' | 'introspect' | 'revoke' | 'par', string>;
  clients: Record<Kind | 'other', TestClient>;
  approve: (address: string) => Promise<{ answer: URL; consentRequested: boolean }>;
}

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the endpoint's
  body: any;
}

async function post(side: Side, path: keyof Side['paths'], form: Form): Promise<Answer> {
  const answer = await fetch(side.url + side.paths[path], {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(form),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: JSON.parse((await answer.text()) || 'null'),
  };
}

const as = ({ id, secret }: TestClient) => ({ client_id: id, client_secret: secret });

const authorize = (side: Side, parameters: Form) =>
  side.approve(`${side.url}${side.paths.authorize}?${encode(parameters)}`);

const redeem = (side: Side, client: TestClient, code: string | null) =>
  post(side, 'token', {
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...as(client),
  });

async function tokens(side: Side, client: TestClient, more: Form = {}) {
  const { answer } = await authorize(side, ask(client, more));
  const code = answer.searchParams.get('code');
  return { code, ...(await redeem(side, client, code)) };
}

const refresh = (side: Side, client: TestClient, { refresh_token }: Answer['body'], more: Form = {}) =>
  post(side, 'token', { grant_type: 'refresh_token', refresh_token, ...as(client), ...more });

const introspect = (side: Side, client: TestClient, token: string) =>
  post(side, 'introspect', { token, ...as(client) });

const revoke = (side: Side, client: TestClient, token: string) =>
  post(side, 'revoke', { token, ...as(client) });

/** Whether a token of the client is valid. A public client cannot introspect, so the token is used instead. */
const active = async (side: Side, client: TestClient, token: string) =>
  (await introspect(side, client.secret ? client : side.clients.confidential, token)).body.active as boolean;

const comparable = ({ status, headers, body }: Answer) => ({
  status,
  type: headers.get('content-type')?.split(';')[0],
  cache: headers.get('cache-control'),
  names: Object.keys(body ?? {}).sort(),
  error: body?.error,
  token_type: body?.token_type,
  scope: body?.scope,
  expires_in: typeof body?.expires_in,
});

export type Flow = (side: Side, client: TestClient) => Promise<unknown>;

/** The steps on both servers, and the compared results. */
export const FLOWS: Record<string, Flow> = {
  async 'the answer to an authorization request'(side, client) {
    const { answer } = await authorize(side, ask(client, { state: 'a b+c%' }));
    const { code, ...rest } = Object.fromEntries(answer.searchParams);
    return { to: answer.origin + answer.pathname, ...rest, code: typeof code, iss: rest.iss === side.url };
  },
  async 'a code for tokens'(side, client) {
    return comparable(await tokens(side, client));
  },
  async 'asking again for what is allowed'(side, client) {
    await authorize(side, ask(client));
    return (await authorize(side, ask(client))).consentRequested;
  },
  async 'a refresh'(side, client) {
    const first = await tokens(side, client);
    const next = await refresh(side, client, first.body);
    return {
      ...comparable(next),
      rotated: next.body.refresh_token !== first.body.refresh_token,
      renewed: next.body.access_token !== first.body.access_token,
    };
  },
  async 'a refresh for less, and for all again'(side, client) {
    const first = await tokens(side, client);
    const less = await refresh(side, client, first.body, { scope: 'read' });
    const all = await refresh(side, client, less.body);
    return [less.body.scope, all.body.scope];
  },
  async 'a refresh for more'(side, client) {
    const first = await tokens(side, client, { scope: 'read' });
    const more = await refresh(side, client, first.body, { scope: 'read write' });
    return [comparable(more), (await refresh(side, client, first.body)).status];
  },
  async 'a refresh token used again'(side, client) {
    const first = await tokens(side, client);
    const next = await refresh(side, client, first.body);
    const again = await refresh(side, client, first.body);
    return [comparable(again), (await refresh(side, client, next.body)).body.error];
  },
  async 'a refresh by another client'(side, client) {
    const first = await tokens(side, client);
    const theirs = await refresh(side, side.clients.other, first.body);
    return [comparable(theirs), (await refresh(side, client, first.body)).status];
  },
  async 'a code used again'(side, client) {
    const first = await tokens(side, client);
    const again = await redeem(side, client, first.code);
    return [comparable(again), (await refresh(side, client, first.body)).body.error];
  },
  async 'a code of another client'(side, client) {
    const { answer } = await authorize(side, ask(client));
    const code = answer.searchParams.get('code');
    const theirs = await redeem(side, side.clients.other, code);
    return [comparable(theirs), (await redeem(side, client, code)).status];
  },
  async 'a revoked access token'(side, client) {
    const { body } = await tokens(side, client);
    const { status } = await revoke(side, client, body.access_token);
    return [
      status,
      (await revoke(side, client, body.access_token)).status,
      (await refresh(side, client, body)).status,
    ];
  },
  async 'a revoked refresh token'(side, client) {
    const { body } = await tokens(side, client);
    const { status } = await revoke(side, client, body.refresh_token);
    return [status, (await refresh(side, client, body)).body.error];
  },
  async 'a revocation by another client'(side, client) {
    const { body } = await tokens(side, client);
    const theirs = await revoke(side, side.clients.other, body.refresh_token);
    return [comparable(theirs), (await refresh(side, client, body)).status];
  },
  async 'a revocation of what nobody knows'(side, client) {
    const { status, headers, body } = await revoke(side, client, 'nothing');
    return [status, headers.get('content-type')?.split(';')[0], body];
  },
  async 'a pushed request, all the way'(side, client) {
    const pushed = await post(side, 'par', { ...ask(client), ...as(client) });
    const { request_uri } = pushed.body;
    const { answer } = await authorize(side, { client_id: client.id, request_uri });
    const { status } = await redeem(side, client, answer.searchParams.get('code'));
    const urn = request_uri.startsWith('urn:ietf:params:oauth:request_uri:');
    return [comparable(pushed), urn, answer.searchParams.get('state'), status];
  },
};

/** Introspection requires a confidential client. */
export const INTROSPECTIONS: Record<string, Flow> = {
  async 'of an access token'(side, client) {
    const { body } = await tokens(side, client);
    const { exp, iat, iss, sub, client_id, ...rest } = (await introspect(side, client, body.access_token))
      .body;
    const facts = { lifetime: exp - iat === body.expires_in, iss: iss === side.url, sub: typeof sub };
    return { ...rest, ...facts, client_id: client_id === client.id };
  },
  async 'of a refresh token'(side, client) {
    const { body } = await tokens(side, client);
    const { exp, iat, iss, sub, client_id, ...rest } = (await introspect(side, client, body.refresh_token))
      .body;
    return {
      ...rest,
      exp: typeof exp,
      iat: typeof iat,
      iss: iss === side.url,
      client_id: client_id === client.id,
    };
  },
  async 'of what nobody knows'(side, client) {
    return comparable(await introspect(side, client, 'nothing'));
  },
  async 'of a code'(side, client) {
    const { answer } = await authorize(side, ask(client));
    return (await introspect(side, client, answer.searchParams.get('code') as string)).body;
  },
  async 'by another client'(side, client) {
    const { body } = await tokens(side, client);
    return (await introspect(side, side.clients.other, body.access_token)).body.active;
  },
  async 'of an access token after its refresh token was used again'(side, client) {
    const first = await tokens(side, client);
    const next = await refresh(side, client, first.body);
    await refresh(side, client, first.body);
    return [
      await active(side, client, first.body.access_token),
      await active(side, client, next.body.access_token),
    ];
  },
  async 'of an access token after its code was used again'(side, client) {
    const first = await tokens(side, client);
    await redeem(side, client, first.code);
    return active(side, client, first.body.access_token);
  },
  async 'of an access token after it was revoked, and of the next one'(side, client) {
    const { body } = await tokens(side, client);
    await revoke(side, client, body.access_token);
    const next = await refresh(side, client, body);
    return [
      await active(side, client, body.access_token),
      await active(side, client, next.body.access_token ?? 'none'),
    ];
  },
  async 'of an access token after its refresh token was revoked'(side, client) {
    const { body } = await tokens(side, client);
    await revoke(side, client, body.refresh_token);
    return active(side, client, body.access_token);
  },
  async 'of an access token after its refresh token was refreshed'(side, client) {
    const { body } = await tokens(side, client);
    await refresh(side, client, body);
    return active(side, client, body.access_token);
  },
};
