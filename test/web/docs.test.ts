import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { docsPages } from '../../src/web/docs/pages.ts';
import { Browser, newApp } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';

const slugs = readdirSync('docs', { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.md'))
  .map((file) => basename(file, '.md'))
  .sort();

let browser: Browser;

beforeAll(async () => {
  browser = new Browser(await newApp(await testDatabase()));
});

describe('the documentation', () => {
  it('has each page of docs/ once in its navigation', () => {
    const { groups, pages } = docsPages().docs;
    expect(groups.flatMap((group) => group.pages).sort()).toEqual(slugs);
    expect(pages.map(({ slug }) => slug)).toEqual(slugs);
  });

  it.each(slugs)('shows %s without a sign-in', async (slug) => {
    const { status, text } = await browser.open(`/docs/${slug}`);
    expect(status).toBe(200);
    expect(text).toContain(`<a href="/docs/${slug}" aria-current="page">`);
  });

  it('runs only the script of its search, which asks only this server', async () => {
    const { headers, text } = await browser.open('/docs/errors');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect([...text.matchAll(/<script/g)]).toHaveLength(1);
    const [, index] = /data-index="([^"]+)"/.exec(text) ?? [];
    const sections = JSON.parse((await browser.open(index as string)).text);
    expect(sections).toContainEqual(expect.objectContaining({ path: '/docs/errors#not_found' }));
  });

  it('links a page of another folder by its address here', async () => {
    const { text } = await browser.open('/docs/architecture');
    expect(text).toContain('<a href="/docs/engine">');
    expect((await browser.open('/docs/engine')).text).toContain('<a href="/docs/listing">');
  });

  it('leads on from /docs, and knows no other pages', async () => {
    const { status, headers } = await browser.open('/docs');
    expect([status, headers.get('location')]).toEqual([302, '/docs/README']);
    for (const path of ['/docs/nothing', '/docs/pictures/nothing.webp', '/docs/pictures/..%2fpages.json'])
      expect([path, (await browser.open(path)).status]).toEqual([path, 404]);
    expect((await browser.open('/docs/pictures/signing-phone.webp')).headers.get('content-type')).toBe(
      'image/webp',
    );
  });
});
