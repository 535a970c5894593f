import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import { newId } from '../../src/lib/id.ts';
import type { Tab } from '../../src/web/graphiql/view.tsx';
import { Browser, newApp, SAME, withPassword } from '../support/browser.ts';
import { newWorld } from '../support/world.ts';

interface Settings {
  files: string;
  tabs: Tab[];
  owner: string;
  headers?: string;
}

const settingsOf = (text: string): Settings =>
  JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}');

async function scene() {
  const world = await newWorld();
  const app = await newApp(world.db);
  const browser = new Browser(app);
  await browser.signIn(await withPassword(world.db, world.owner));
  return { ...world, app, browser };
}

interface Owned {
  organizationId: string;
  projectId: string;
  userId: string;
}

/** A document as an upload leaves it, without the bytes. */
async function newDocument(db: Database, { organizationId, projectId, userId }: Owned): Promise<string> {
  const [id, blobId] = [newId('Document'), newId('Blob')];
  const content = { contentType: 'application/pdf', size: 9n };
  const named = { organizationId, name: 'Plan.pdf', createdById: userId, ...content };
  await db.prisma.blob.create({
    data: { organizationId, id: blobId, sha256: new Uint8Array(32), ...content },
  });
  await db.prisma.document.create({
    data: { ...named, id, projectId, nameKey: 'plan.pdf', revisionNumber: 1 },
  });
  await db.prisma.revision.create({
    data: { ...named, id: newId('Revision'), documentId: id, blobId, number: 1 },
  });
  return id;
}

describe('GraphiQL', () => {
  it('is where the bare address leads', async () => {
    const { browser } = await scene();
    const { status, headers } = await browser.open('/');
    expect([status, headers.get('location')]).toEqual([302, '/graphql']);
  });

  it('leads one who is not signed in to the sign-in and back, with the query that the address holds', async () => {
    const { app } = await scene();
    const { status, headers } = await new Browser(app).open('/graphql?query=%7Bviewer%7Bid%7D%7D');
    expect(status).toBe(302);
    const target = new URL(headers.get('location') as string, 'http://x').searchParams.get('return_to');
    expect(target).toBe('/graphql?query=%7Bviewer%7Bid%7D%7D');
  });

  it('opens with an API key instead, and takes nothing of the cookie then', async () => {
    const { app } = await scene();
    const browser = new Browser(app);
    expect((await browser.open('/sign-in')).text).toContain('href="/graphql?with=key"');
    const { status, text } = await browser.open('/graphql?with=key');
    expect(status).toBe(200);
    expect(settingsOf(text)).toMatchObject({ owner: 'key', headers: expect.stringContaining('Bearer dgk_') });
    expect(text).not.toContain('/sign-out');
  });

  it('runs no script but its own two, in no frame', async () => {
    const { browser } = await scene();
    const [one, other] = [await browser.open('/graphql'), await browser.open('/graphql')];
    const policy = one.headers.get('content-security-policy') as string;
    const nonce = /script-src 'nonce-([\w-]{22})';?/.exec(policy)?.[1];
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'; base-uri 'none'/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect([...one.text.matchAll(/<script nonce="([^"]+)"/g)].map((each) => each[1])).toEqual([nonce, nonce]);
    expect(other.text).not.toContain(nonce);
  });

  it('shows a name as text, also within the settings', async () => {
    const { db, browser, owner } = await scene();
    await db.prisma.user.update({
      where: { id: owner.id },
      data: { name: '</script><script>alert(1)</script>' },
    });
    expect((await browser.open('/graphql')).text).not.toContain('<script>alert');
  });

  it('serves its files from here, packed where the browser unpacks, for good under their version', async () => {
    const { app, browser } = await scene();
    const { files } = settingsOf((await browser.open('/graphql')).text);
    for (const name of [
      'graphiql.js',
      'graphiql.css',
      'start.js',
      'editorWorkerService.js',
      'json.js',
      'graphql.js',
    ]) {
      const plain = await app.request(`${files}/${name}`);
      expect([name, plain.status, plain.headers.get('content-type')]).toEqual([
        name,
        200,
        expect.stringMatching(name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/),
      ]);
      expect(plain.headers.get('cache-control')).toContain('immutable');
      const packed = await app.request(`${files}/${name}`, { headers: { 'accept-encoding': 'br, gzip' } });
      expect(packed.headers.get('content-encoding')).toBe('br');
      expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(await plain.text());
    }
    expect((await app.request(`${files}/other.js`)).status).toBe(404);
    expect((await app.request('/graphql/assets/0000000000000000/start.js')).status).toBe(404);
  });

  it('opens with examples that run as they stand, on things of the viewer', async () => {
    const { owner, project, browser, db, organization } = await scene();
    await createFolders(await owner.context(), { projectId: project.id, folders: [{ name: 'Plans' }] });
    const { tabs } = settingsOf((await browser.open('/graphql')).text);
    const names = tabs.map(({ query }) => /(?:query|mutation) (\w+)/.exec(query)?.[1]);
    expect(names).toEqual(['Overview', 'Documents', 'Folders', 'CreateFolder', 'AddComment']);
    for (const { query, variables } of tabs.slice(0, 4)) {
      const { status, text } = await browser.send('/graphql', {
        method: 'POST',
        headers: { ...SAME, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: JSON.parse(variables ?? '{}') }),
      });
      expect([status, JSON.parse(text).errors]).toEqual([200, undefined]);
    }
    const folders = await db.prisma.folder.findMany({ where: { organizationId: organization.id } });
    expect(folders.map(({ name }) => name).sort()).toEqual(['Permits', 'Plans']);
  });

  it('has an example for comments, which works on the first document there is', async () => {
    const { browser, project, owner, db, organization } = await scene();
    const documentId = await newDocument(db, {
      organizationId: organization.id,
      projectId: project.id,
      userId: owner.id,
    });
    const { tabs } = settingsOf((await browser.open('/graphql')).text);
    const { query, variables } = tabs[4] as Tab;
    const { data } = await owner.graph(query, JSON.parse(variables as string));
    expect(data.createComments.comments).toMatchObject([{ text: 'Please check page 2 again.' }]);
    const documents = await owner.graph((tabs[1] as Tab).query);
    expect(JSON.stringify(documents.data)).toContain(documentId);
    expect(JSON.stringify(documents.data)).toContain('Please check page 2 again.');
  });
});
