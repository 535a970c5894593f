import type { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';

let app: Hono;
beforeAll(async () => {
  app = await appOn(await testDatabase());
});

describe('an address without a page for the method', () => {
  it.each([
    ['GET', '/sign-out', 'POST'],
    ['HEAD', '/sign-out', 'POST'],
    ['POST', '/docs/errors', 'GET'],
    ['PUT', '/console', 'GET, POST'],
    ['DELETE', '/sign-in', 'GET, POST'],
  ])('%s %s is answered with 405 and the methods that it has', async (method, path, allowed) => {
    const { status, headers } = await app.request(path, { method });
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  });

  it.each([
    ['GET', '/nothing'],
    ['POST', '/nothing'],
    ['GET', '/docs/nothing'],
    ['GET', '/docs/pictures/nothing.webp'],
  ])('%s %s is answered with 404, as there is nothing', async (method, path) => {
    const { status, headers } = await app.request(path, { method });
    expect([status, headers.get('allow')]).toEqual([404, null]);
  });

  it('is a page in a browser, with a way back, and JSON for programs', async () => {
    const page = await app.request('/sign-out', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await page.text()).toMatch(/<h1>Method not allowed<\/h1>[\s\S]*<a href="\/">/);
    const answer = await app.request('/sign-out');
    expect(await answer.json()).toMatchObject({ code: 'BAD_USER_INPUT', status: 405 });
  });
});
