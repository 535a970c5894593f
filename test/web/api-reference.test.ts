import { describe, expect, it } from 'vitest';
import type { OpenApi } from '../../src/lib/openapi.ts';
import { apiReferenceRouter } from '../../src/web/api-reference/routes.ts';
import { newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { description } from '../support/description.ts';

const html = async () => (await apiReferenceRouter(() => description).request('/docs')).text();

describe('the API reference', () => {
  it('is served without a credential, beside the description for programs', async () => {
    const app = await newApp(await testDatabase());
    const docs = await app.request('/api/v1/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const json = await app.request('/api/v1/openapi.json');
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await json.json()) as OpenApi).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: 'http://docgraph.test/api/v1' }],
    });
  });

  it('is rendered once for any number of requests', async () => {
    let renderCount = 0;
    const router = apiReferenceRouter(() => {
      renderCount += 1;
      return description;
    });
    for (const path of ['/docs', '/openapi.json', '/docs'])
      expect((await router.request(path)).status).toBe(200);
    expect(renderCount).toBe(1);
  });

  it('runs no script, loads nothing, and sends nothing', async () => {
    const answer = await apiReferenceRouter(() => description).request('/docs');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; form-action 'none'/,
    );
    expect(await answer.text()).not.toMatch(/<script|<form| style=| on\w+=|src=|<link rel="stylesheet"/);
  });

  it('shows every operation and every record under a separate anchor, and has no external links', async () => {
    const text = await html();
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const item of Object.values(description.paths))
      for (const method of ['get', 'post', 'put', 'delete'] as const)
        if (item[method]) expect(ids).toContain(item[method].operationId);
    for (const name of Object.keys(description.components.schemas)) expect(ids).toContain(name);
    const lost = [...text.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !ids.includes(id as string));
    expect(lost).toEqual([]);
  });

  it('escapes texts of the description', async () => {
    const title = '<img src=x>`</code><b>`';
    const router = apiReferenceRouter(() => ({
      ...description,
      info: { ...description.info, title, description: title },
    }));
    const text = await (await router.request('/docs')).text();
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x&gt;');
  });
});
