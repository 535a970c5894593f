import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClientDocuments } from '../../../src/oauth/request/client-documents.ts';
import { appOn, browser, signedIn } from '../../support/oauth.ts';
import { documentOf, documentServer } from '../../support/servers/document-server.ts';
import { askFor, CALLBACK, describedWorld } from './world.ts';

let documents: Awaited<ReturnType<typeof documentServer>>;
let world: Awaited<ReturnType<typeof describedWorld>>;

beforeAll(async () => {
  documents = await documentServer();
});
afterAll(() => documents.close());
beforeEach(async () => {
  world = await describedWorld(documents);
});

/** The status and the text of the answer to an authorization request. */
async function answerTo(url: string, more: Record<string, string | undefined> = {}, by = world.user) {
  const page = await by.authorize(askFor(url, more));
  return { status: page.status, text: await page.text() };
}

describe('a document', () => {
  it.each([
    ['another client_id', { client_id: 'https://other.example/client.json' }, 'its client_id is not its URL'],
    ['no client_id', { client_id: undefined }, 'its client_id'],
    ['no name', { client_name: undefined }, 'its client_name'],
    ['a name with hidden characters', { client_name: 'Agent\u202e' }, 'its client_name'],
    ['the name of this product', { client_name: 'Docgraph' }, 'must not read like Docgraph'],
    ['no redirects', { redirect_uris: [] }, 'its redirect_uris'],
    ['a redirect without https', { redirect_uris: ['http://agent.example/'] }, 'must use https'],
    ['a redirect to a scheme of its own', { redirect_uris: ['com.example.app:/back'] }, 'must use https'],
    ['a redirect to a script', { redirect_uris: ['javascript:alert(1)'] }, 'its redirect_uris'],
    ['a secret as its method', { token_endpoint_auth_method: 'client_secret_post' }, 'must be none'],
    ['a key as its method', { token_endpoint_auth_method: 'private_key_jwt' }, 'must be none'],
    ['a secret', { client_secret: 's3cret' }, 'its client_secret'],
    ['the end of a secret', { client_secret_expires_at: 0 }, 'its client_secret_expires_at'],
    ['no grant by code', { grant_types: ['client_credentials'] }, 'its grant_types'],
    ['no response with a code', { response_types: ['token'] }, 'its response_types'],
  ])('with %s is refused, and nothing is stored', async (_, more, reason) => {
    const url = documents.publish(documents.newUrl(), more);
    const { status, text } = await answerTo(url);
    expect(status).toBe(400);
    expect(text).toContain(reason);
    expect(await world.stored(url)).toBeNull();
  });

  it.each([
    ['that is no JSON', 'application/json', '{', 'it is not JSON'],
    ['that is no object', 'application/json', '[]', 'it is not a JSON object'],
    ['of another type', 'text/html', undefined, 'it is not application/json'],
    ['that is too long', 'application/json', `"${'a'.repeat(5_200)}"`, 'more than 5120 bytes'],
  ])('%s is refused', async (_, type, text, reason) => {
    const url = documents.newUrl();
    const body = text ?? JSON.stringify(documentOf(url));
    documents.answer(url, (response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect((await answerTo(url)).text).toContain(reason);
  });

  it('behind a redirect is not followed', async () => {
    const [url, target] = [documents.newUrl(), documents.newUrl()];
    documents.publish(target, { client_id: url });
    documents.answer(url, (response) => response.writeHead(302, { location: target }).end());
    expect((await answerTo(url)).text).toContain('it could not be read');
    expect(documents.countOf(target)).toBe(0);
  });

  it('that does not end within 3 seconds is refused', { timeout: 20_000 }, async () => {
    const url = documents.newUrl();
    documents.answer(url, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    });
    expect((await answerTo(url)).text).toContain('it could not be read');
  });

  it('at a private address is refused without a connection', async () => {
    const url = documents.publish(documents.newUrl());
    const app = await appOn(world.db);
    const by = browser(app, await signedIn(world.db, world.owner.id));
    const literal = 'https://127.0.0.1/client.json';
    expect((await answerTo(url, {}, by)).text).toContain('it could not be read');
    expect((await answerTo(literal, {}, by)).text).toContain('it could not be read');
    expect(documents.countOf(url)).toBe(0);
  });

  it.each([
    ['without a path', 'https://agent.example/'],
    ['with a query', 'https://agent.example/c?a'],
    ['with a fragment', 'https://agent.example/c#a'],
    ['with a user', 'https://me@agent.example/c'],
    ['with dot segments', 'https://agent.example/a/../c'],
    ['with hidden dot segments', 'https://agent.example/a/%2e%2e/c'],
    ['with a host in capitals', 'https://Agent.example/c'],
    ['with the default port', 'https://agent.example:443/c'],
    ['that is too long', `https://agent.example/${'a'.repeat(500)}`],
  ])('at a URL %s is not fetched', async (_, url) => {
    const { status, text } = await answerTo(url);
    expect(status).toBe(400);
    expect(text).toMatch(/client_id must/);
  });

  it('is not fetched for somebody who is not signed in, who signs in first', async () => {
    const url = documents.publish(documents.newUrl());
    const page = await world.visitor.authorize(askFor(url));
    expect(page.headers.get('location')).toMatch(/^\/sign-in\?return_to=/);
    expect(documents.countOf(url)).toBe(0);
    expect(await world.stored(url)).toBeNull();
  });

  it('is fetched once for requests at the same time, and not again while it is fresh', async () => {
    const url = documents.publish(documents.newUrl());
    const pages = await Promise.all(Array.from({ length: 5 }, () => world.user.authorize(askFor(url))));
    await world.user.authorize(askFor(url));
    expect(pages.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(documents.countOf(url)).toBe(1);
  });

  it.each([
    ['that is valid', {}],
    ['that is refused', { client_name: undefined }],
  ])('%s is not fetched again for a request that looked before another one had fetched it', async (_, more) => {
    const url = documents.publish(documents.newUrl(), more);
    const reader = new ClientDocuments(documents.exceptions);
    const first = () => reader.require(world.db, url, async () => {}).catch(() => {});
    await reader.require(world.db, url, first).catch(() => {});
    expect(documents.countOf(url)).toBe(1);
  });

  it.each([
    ['max-age=1', 300],
    ['no-store', 300],
    ['max-age=7200', 7_200],
    ['public, max-age=99999999', 86_400],
    ['', 3_600],
  ])('with Cache-Control "%s" is used for %s seconds', async (control, seconds) => {
    const url = documents.publish(documents.newUrl(), {}, { 'cache-control': control });
    await world.user.authorize(askFor(url));
    const until = (await world.stored(url))?.metadataExpiresAt?.getTime() ?? 0;
    expect(Math.abs(until - Date.now() - seconds * 1_000)).toBeLessThan(20_000);
  });

  it('that failed is not fetched again at once', async () => {
    const url = documents.publish(documents.newUrl(), { client_name: undefined });
    await answerTo(url);
    documents.publish(url);
    expect((await answerTo(url)).text).toContain('its client_name');
    expect(documents.countOf(url)).toBe(1);
  });

  it('beyond ten in a minute is not fetched for one person', async () => {
    const urls = Array.from({ length: 11 }, () => documents.publish(documents.newUrl()));
    const statuses = [];
    for (const url of urls) statuses.push((await world.user.authorize(askFor(url))).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect(documents.countOf(urls[10] as string)).toBe(0);
    expect((await world.user.authorize(askFor(urls[0] as string))).status).toBe(200);
  });

  it('that changed is read again: a redirect that was removed is refused, another name is shown', async () => {
    const url = documents.publish(documents.newUrl());
    const page = await world.user.authorize(askFor(url));
    documents.publish(url, { client_name: 'Renamed', redirect_uris: ['https://agent.example/new'] });
    await world.expire(url);
    const decided = await world.user.decide(page, 'approve');
    const next = await answerTo(url, { redirect_uri: 'https://agent.example/new' });
    expect(decided.status).toBe(400);
    expect((await answerTo(url)).text).toContain('redirect_uri is not registered');
    expect(next.text).toContain('Renamed');
  });

  it('that vanished is no longer accepted once it is read again', async () => {
    const url = documents.publish(documents.newUrl());
    await world.user.authorize(askFor(url));
    documents.answer(url, (response) => response.writeHead(404).end());
    await world.expire(url);
    expect((await answerTo(url)).text).toContain('it could not be read');
  });

  it('is refused where the operator turned documents off, and the metadata says so', async () => {
    const url = documents.publish(documents.newUrl());
    const off = await appOn(
      world.db,
      {},
      { documentExceptions: documents.exceptions, clientDocuments: false },
    );
    const by = browser(off, await signedIn(world.db, world.owner.id));
    const supported = async (app: typeof off) =>
      (await (await app.request('/.well-known/oauth-authorization-server')).json())
        .client_id_metadata_document_supported;
    expect((await answerTo(url, {}, by)).text).toContain('client_id does not name an application');
    expect(documents.countOf(url)).toBe(0);
    expect([await supported(off), await supported(world.app)]).toEqual([false, true]);
  });

  it('leads nobody to a redirect of others', async () => {
    const url = documents.publish(documents.newUrl());
    const evil = await answerTo(url, { redirect_uri: `${CALLBACK}.evil.example` });
    expect(evil.status).toBe(400);
  });
});
