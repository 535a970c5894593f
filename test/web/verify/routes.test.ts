import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { Browser, newApp } from '../../support/browser.ts';
import { newDatabase } from '../../support/database.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { testStorage } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

async function scene() {
  const world = await newWorld();
  return { ...world, browser: new Browser(await newApp(world.db)) };
}

/** What the page has for its script. */
const factsOf = (text: string) =>
  JSON.parse(/<script type="application\/json" id="server">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null');

const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? '';

describe('the page that checks sealed files', () => {
  it('may connect to nothing, and needs no sign-in', async () => {
    const { browser } = await scene();
    const { status, headers } = await browser.open('/verify');
    expect(status).toBe(200);
    expect(policyOf(headers)).toContain("default-src 'none'");
    expect(policyOf(headers)).toContain("connect-src 'none'");
  });

  it('knows the certificate with which the server seals', async () => {
    const { browser, db } = await scene();
    const { chain } = await (await testStorage(db)).sealer();
    const own = new X509Certificate(chain[0] as Uint8Array);
    const facts = factsOf((await browser.open('/verify')).text);
    expect(facts).toMatchObject({ host: 'docgraph.test', fingerprints: [own.fingerprint256], savedOn: null });
  });

  it('knows certificates with which the server sealed before', async () => {
    const db = await newDatabase();
    const { sealer } = await testStorage(db);
    const former = new X509Certificate((await sealer()).chain[0] as Uint8Array).fingerprint256;
    await db.prisma.signingKey.updateMany({ where: { purpose: 'SEAL' }, data: { retiredAt: new Date() } });
    const current = new X509Certificate((await sealer()).chain[0] as Uint8Array).fingerprint256;
    const { text } = await new Browser(await newApp(db)).open('/verify');
    expect(factsOf(text).fingerprints).toEqual([current, former]);
  });

  it('can be saved as one file, which allows its own script alone', async () => {
    const { browser } = await scene();
    const { headers, text } = await browser.open('/verify/offline.html');
    expect(headers.get('content-disposition')).toBe('attachment; filename="verify-docgraph.test.html"');
    expect(text).not.toMatch(/<script[^>]* src=/);
    const code = /<script>(.*)<\/script>/s.exec(text)?.[1] as string;
    const hash = createHash('sha256').update(code).digest('base64');
    expect(text).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(factsOf(text).savedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('the page of the code on a record page', () => {
  it('says that a document was sealed, by which organization and when, and neither its title nor its signers', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed(['Ann', 'Bob']);
    await desk.seal(sessionId);
    const { name } = await desk.db.prisma.document.findFirstOrThrow({ where: { id: documentId } });
    const { status, headers, text } = await new Browser(await newApp(desk.db)).open(`/verify/${sessionId}`);
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
    expect(text).toContain(desk.organization.name);
    expect(text).toContain('2 people had signed');
    expect(factsOf(text).session).toBe(sessionId);
    for (const hidden of [name, documentId, 'Ann', 'Bob']) expect(text).not.toContain(hidden);
  });

  it('knows nothing of a session before its seal, of none, and of one whose document was purged', async () => {
    const desk = await newSealingDesk();
    const browser = new Browser(await newApp(desk.db));
    const { sessionId } = await desk.signed();
    const answers = [];
    for (const id of [sessionId, newId('SignatureSession')])
      answers.push(await browser.open(`/verify/${id}`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    for (const { text } of answers) {
      expect(text).toContain('This server has no document with the code that led you here');
      expect(text).not.toContain(desk.organization.name);
    }
  });
});
