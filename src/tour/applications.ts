import { createHash, randomBytes } from 'node:crypto';
import type { Step, Tour } from './tour.ts';

const SUBSCRIPTION = `subscription ($organization: ID!) { eventAppended(organizationId: $organization) { sequence kind } }`;

/** Reads server-sent events until one has data; ends the subscription. */
async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const event = /^data: (\{"data".*)$/m.exec(text)?.[1];
    if (event) return event;
  }
  return text;
}

export const SUBSCRIBE: Step = {
  title: 'Subscribe to changes as server-sent events',
  async run(tour) {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const variables = { organization: tour.demo.organizationId };
    const body = JSON.stringify({ query: SUBSCRIPTION, variables });
    const stream = await tour.send('/graphql', { method: 'POST', headers, body });
    await tour.rest('POST', 'tasks', [{ Name: 'Look at the quay' }]);
    const event = await firstEvent(stream);
    tour.note(SUBSCRIPTION, event);
    tour.require(event.includes('task.created'), 'the new task arrived as an event');
  },
};

/** The authorization code that the owner's consent gives to the application. */
async function codeOf(tour: Tour, cookie: string, challenge: string): Promise<string> {
  const { client_id, redirect_uri } = tour.demo.confidentialClient;
  const request = { client_id, redirect_uri, response_type: 'code', scope: 'read', state: 'tour' };
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  const query = new URLSearchParams({ ...request, ...pkce, prompt: 'consent' });
  const page = await tour.show(`/oauth/authorize?${query}`, { headers: { cookie }, anonymous: true });
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(
    fields.map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ]),
  );
  body.set('decision', 'approve');
  const headers = { cookie, origin: new URL(tour.demo.url).origin };
  const sent = { method: 'POST', headers, body, anonymous: true, status: 303 };
  const location = (await tour.send('/oauth/authorize', sent)).headers.get('location') ?? '';
  tour.note('POST /oauth/authorize decision=approve', '303');
  return new URL(location).searchParams.get('code') ?? '';
}

export const OAUTH: Step = {
  title: 'As an OAuth application: authorization code with PKCE, refresh, revocation',
  async run(tour) {
    const { client_id, client_secret, redirect_uri } = tour.demo.confidentialClient;
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await codeOf(tour, await tour.signIn(), challenge);
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const token = async (form: Record<string, string>, status = 200) => {
      const call = { method: 'POST', headers, body: new URLSearchParams(form), anonymous: true, status };
      const answer = await (await tour.send('/oauth/token', call)).text();
      tour.note(`POST /oauth/token grant_type=${form.grant_type}`, `${status} ${answer}`);
      return JSON.parse(answer);
    };
    const redeem = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
    const first = await token(redeem);
    const bearer = { authorization: `Bearer ${first.access_token}` };
    await tour.show('/documents', { headers: bearer, anonymous: true });
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    tour.require(second.refresh_token !== first.refresh_token, 'the refresh token rotates');
    const body = new URLSearchParams({ token: second.refresh_token });
    await tour.send('/oauth/revoke', { method: 'POST', headers, body, anonymous: true });
    await tour.send('/documents', {
      headers: { authorization: `Bearer ${second.access_token}` },
      anonymous: true,
      status: 401,
    });
    tour.require(true, 'a revoked token is refused at once (401)');
  },
};

export const PAGES: Step = {
  title: 'In a browser',
  async run(tour) {
    await tour.show('/api/v1/docs', { anonymous: true });
    await tour.show('/sign-in', { anonymous: true });
    await tour.show(tour.demo.signingUrl, { anonymous: true });
  },
};
