import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  purgeDocuments,
  recycleDocuments,
  restoreDocuments,
} from '../../../src/domain/documents/document-bin.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import type { Storage } from '../../../src/domain/kernel/context.ts';
import { stampNext } from '../../../src/domain/sealing/document-stamp.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import { MAX_STAMP_ATTEMPTS } from '../../../src/domain/sealing/stamp-schedule.ts';
import { handlers } from '../../../src/jobs/handlers.ts';
import { newId } from '../../../src/lib/id.ts';
import { toHex } from '../../../src/lib/text/hex.ts';
import { DAY, MINUTE } from '../../../src/lib/time.ts';
import { type TimeStamper, timeStamper } from '../../../src/timestamp/authority.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { checkToken } from '../../../src/verify/time-stamp.js';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { newApp } from '../../support/browser.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { altered, withForeignUpdate } from '../../support/time-stamps/sealed-files.ts';
import { sentFrom, testApp } from '../../support/world.ts';
import { visitorsOf } from '../../web/console/scene.ts';

const AUTHORITY = 'O=Harbour, CN=Clock';

const SEALING = `query ($id: ID!) { signatureSession(id: $id) {
  sealing { level timestampedAt timestampAuthority sealedRevision { number downloadUrl } } } }`;

let authority: TestAuthority;
let stamper: TimeStamper;
let normal: TestAuthority['answer'];

beforeAll(async () => {
  authority = await openAuthority();
  normal = authority.answer;
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
});
afterAll(() => authority.close());
beforeEach(dropJobs);
beforeEach(() => {
  authority.answer = normal;
});

/** A document that was sealed while the authority was away, which is back now, and the job that follows. */
async function sealedWithout() {
  const desk = await newSealingDesk();
  const { documentId, sessionId } = await desk.signed(['Ann']);
  authority.answer = () => 500;
  await desk.seal(sessionId, desk.ctx.storage, { timeStamper: stamper });
  authority.answer = normal;
  const [, sealed] = await desk.revisionsOf(documentId);
  if (!sealed) throw new Error('the document was not sealed');
  const run = (storage: Storage = desk.ctx.storage, given: TimeStamper | undefined = stamper) =>
    stampNext({ db: desk.db, storage, timeStamper: given });
  const timePasses = () =>
    desk.db.prisma.signatureSession.updateMany({
      where: { id: sessionId, stampNextAt: { not: null } },
      data: { stampNextAt: new Date(Date.now() - 1) },
    });
  return {
    ...desk,
    documentId,
    sessionId,
    sealed,
    run,
    timePasses,
    session: () => desk.sessionOf(sessionId),
    revisions: () => desk.revisionsOf(documentId),
    /** Another session on the sealed file. */
    beginAgain: () =>
      desk.db.prisma.signatureSession.create({
        data: {
          ...{ id: newId('SignatureSession'), documentId, revisionId: sealed.id, state: 'ACTIVE' },
          ...{ organizationId: desk.organization.id, projectId: desk.project.id, createdById: desk.owner.id },
        },
      }),
    sealing: async () => (await desk.owner.graph(SEALING, { id: sessionId })).data.signatureSession.sealing,
    /** Runs the job at the time at which it is due. */
    runDue: async (...args: Parameters<typeof run>) => {
      await timePasses();
      return run(...args);
    },
  };
}

type Scene = Awaited<ReturnType<typeof sealedWithout>>;

/** Minutes until the next attempt. */
async function waitOf({ session }: Scene): Promise<number | null> {
  const { stampNextAt } = await session();
  return stampNextAt && Math.round((stampNextAt.getTime() - Date.now()) / MINUTE);
}

/** The scene is as it was, but for its next attempt. */
async function expectUnstamped(scene: Scene, wait: number | null) {
  const { sealRevisionId, sealStampedAt, sealingBlobId } = await scene.session();
  expect([sealRevisionId, sealStampedAt, sealingBlobId]).toEqual([scene.sealed.id, null, null]);
  expect(await scene.kinds(scene.documentId)).not.toContain('document.timeStamped');
  expect(await waitOf(scene)).toBe(wait);
}

/** A store that does something before it writes an object. */
const beforeWrite = (storage: Storage, act: () => Promise<unknown>): Storage => ({
  ...storage,
  store: {
    ...storage.store,
    write: async (...args) => {
      await act();
      return storage.store.write(...args);
    },
  },
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The token in an update of a sealed file, and the digest that it is over. */
function readStamp(bytes: Buffer, sealedSize: number) {
  const start = bytes.indexOf('/Contents <', sealedSize) + '/Contents '.length;
  const end = bytes.indexOf('>', start) + 1;
  const token = Buffer.from(bytes.subarray(start + 1, end - 1).toString('latin1'), 'hex');
  const length = 4 + token.readUInt16BE(2);
  return {
    token: token.subarray(0, length),
    digest: sha256(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])),
  };
}

describe('a seal without a time-stamp', () => {
  it('is tried a minute later where the authority was away', async () => {
    const scene = await sealedWithout();
    expect(await scene.sealing()).toMatchObject({ level: 'B_B', sealedRevision: { number: 2 } });
    await expectUnstamped(scene, 1);
    expect(await scene.run()).toBe(false);
  });

  it('gets a document time-stamp, as a new revision', async () => {
    const scene = await sealedWithout();
    const before = await scene.bytesOf(scene.sealed.blobId);
    expect(await scene.runDue()).toBe(true);
    const [, , stamped, ...more] = await scene.revisions();
    expect(more).toEqual([]);
    const { name, contentType, pageCount, createdById } = scene.sealed;
    expect(stamped).toMatchObject({ number: 3, name, contentType, pageCount, createdById });
    const bytes = await scene.bytesOf(stamped?.blobId as string);
    expect(bytes.subarray(0, before.length).equals(before)).toBe(true);
    expect((await checkSeal(nodeSuite, bytes.subarray(0, before.length))).reason).toContain(scene.sessionId);
    const { token, digest } = readStamp(bytes, before.length);
    const { time, isTrusted } = await checkToken(nodeSuite, token, digest, authority.roots);
    expect(isTrusted).toBe(true);
    expect(await scene.session()).toMatchObject({
      ...{ sealRevisionId: stamped?.id, sealStampedAt: time, sealAuthority: AUTHORITY },
      ...{ stampNextAt: null, sealingBlobId: null },
    });
    expect(await scene.sealing()).toMatchObject({
      ...{ level: 'B_T', timestampedAt: time.toISOString(), timestampAuthority: AUTHORITY },
      sealedRevision: { number: 3 },
    });
    const document = await scene.db.prisma.document.findUniqueOrThrow({ where: { id: scene.documentId } });
    expect(document).toMatchObject({ revisionNumber: 3, origin: 'SEAL', size: stamped?.size });
    expect(await scene.runDue()).toBe(false);
    if (!hasPoppler) return;
    expect(await poppler('pdfsig', bytes)).toMatch(/Signature is Valid[\s\S]*Total document signed/);
  });

  it('is checked with the evidence of the document, and no byte of it can be changed', async () => {
    const scene = await sealedWithout();
    await scene.timePasses();
    await scene.run();
    const bytes = await scene.bytesOf((await scene.revisions()).at(-1)?.blobId as string);
    const evidence = (await writeEvidenceOf(scene.ctx, scene.documentId)) as string;
    const check = (pdf: Uint8Array) => checkEvidence(evidence, pdf, { authorities: authority.roots });
    const { errors, summary } = await check(bytes);
    expect(errors).toEqual([]);
    expect(summary).toContainEqual(
      expect.stringMatching(`^The file as sealed existed before 20.*, by the time-stamp of ${AUTHORITY} `),
    );
    const token = bytes.indexOf('/Contents <', Number(scene.sealed.size)) + 200;
    for (const at of [100, Number(scene.sealed.size) + 40, token, bytes.length - 3])
      expect([at, (await check(altered(bytes, at))).errors.length]).toEqual([at, 1]);
    const extended = (await check(withForeignUpdate(bytes))).errors.join();
    expect(extended).toContain(`another program added`);
    expect(extended).toContain(`after the first ${bytes.length}`);
  });

  it('has an event of both files, in a chain that is valid', async () => {
    const scene = await sealedWithout();
    await scene.runDue();
    const [, , stamped] = await scene.revisions();
    const { sealStampedAt } = await scene.session();
    const event = await scene.db.prisma.event.findFirstOrThrow({
      where: { subjectId: scene.documentId, kind: 'document.timeStamped' },
    });
    expect(event.data).toEqual({
      sessionId: scene.sessionId,
      sealed: { revision: 2, sha256: toHex(scene.sealed.blob.sha256), size: Number(scene.sealed.size) },
      timeStamp: { time: sealStampedAt?.toISOString(), authority: AUTHORITY },
      after: {
        ...{ revision: 3, contentType: 'application/pdf' },
        ...{ size: Number(stamped?.size), sha256: toHex(stamped?.blob.sha256 as Uint8Array) },
      },
    });
    const findings = [];
    for await (const { finding } of verifyChains(scene.db, scene.organization.id)) findings.push(finding);
    expect(findings).toEqual([undefined]);
  });

  it('is replaced by the longer file for members and signers', async () => {
    const scene = await sealedWithout();
    await scene.runDue();
    const [, , stamped] = await scene.revisions();
    const app = await testApp(scene.db);
    const [signer] = await scene.signersOf(scene.sessionId);
    if (!signer) throw new Error('no signer');
    const link = `/sign/${signer.id}/${scene.secretOf(signer)}`;
    const { headers } = await app.request(`${link}/copy`, {}, sentFrom('192.0.2.7'));
    const member = (await scene.sealing()).sealedRevision.downloadUrl;
    for (const url of [member, headers.get('location') as string]) {
      const file = Buffer.from(await (await app.request(url)).arrayBuffer());
      expect(toHex(sha256(file))).toBe(toHex(stamped?.blob.sha256 as Uint8Array));
    }
  });

  it('is on the page of the session in the console', async () => {
    const scene = await sealedWithout();
    const visitor = await visitorsOf(scene.db, await newApp(scene.db))(scene.owner);
    const path = `/console/${scene.organization.id}/projects/${scene.project.id}/signatures/${scene.sessionId}`;
    expect((await visitor.open(path)).text).not.toContain('by the clock of');
    await scene.runDue();
    const { sealStampedAt } = await scene.session();
    const { text } = await visitor.open(path);
    expect(text).toMatch(new RegExp(`That was before <time datetime="${sealStampedAt?.toISOString()}"`));
    expect(text).toMatch(/by the clock of\s+<bdi[^>]*>O=Harbour, CN=Clock/);
  });

  it('is the work of background jobs', async () => {
    const scene = await sealedWithout();
    const job = { ...(await jobContext(scene.db)), timeStamper: stamper };
    await scene.timePasses();
    expect([await handlers.stamp(job), await handlers.stamp(job)]).toEqual([true, false]);
    expect(await scene.sealing()).toMatchObject({ level: 'B_T' });
  });

  it('has as much space as a large token needs', async () => {
    const scene = await sealedWithout();
    const requested: string[] = [];
    const large: TimeStamper = async (digest) => {
      const given = await stamper(digest);
      requested.push(toHex(digest));
      const token = Buffer.concat([Buffer.from('30822ee0', 'hex'), Buffer.alloc(12_000, 1)]);
      return { ...given, token: Uint8Array.from(token) };
    };
    await scene.runDue(undefined, large);
    const [, , stamped] = await scene.revisions();
    const bytes = await scene.bytesOf(stamped?.blobId as string);
    const { token, digest } = readStamp(bytes, Number(scene.sealed.size));
    expect(token).toHaveLength(12_004);
    expect([requested.length, requested[1]]).toEqual([2, toHex(digest)]);
  });
});

describe('the next attempt', () => {
  it('follows ever later while the authority is away, and then none', async () => {
    const scene = await sealedWithout();
    authority.answer = () => 500;
    const objects = await scene.objects();
    const waits = [await waitOf(scene)];
    for (let attempt = 1; attempt <= MAX_STAMP_ATTEMPTS; attempt++) {
      await scene.runDue();
      waits.push(await waitOf(scene));
    }
    const day = DAY / MINUTE;
    expect(waits).toEqual([1, 5, 30, 120, 360, 720, ...Array(15).fill(day), null]);
    await expectUnstamped(scene, null);
    expect(await scene.objects()).toEqual(objects);
  });

  it('waits while no authority is configured any more', async () => {
    const scene = await sealedWithout();
    await scene.timePasses();
    await stampNext({ db: scene.db, storage: scene.ctx.storage });
    await expectUnstamped(scene, 5);
  });

  it('is none after every attempt has crashed the server', async () => {
    const scene = await sealedWithout();
    const data = { stampAttempts: MAX_STAMP_ATTEMPTS };
    await scene.db.prisma.signatureSession.update({ where: { id: scene.sessionId }, data });
    await scene.runDue();
    await expectUnstamped(scene, null);
  });

  it('is none where a newer revision was uploaded', async () => {
    const scene = await sealedWithout();
    await newDocuments(scene.ctx, scene.project.id, [{ name: 'a.txt', documentId: scene.documentId }]);
    await scene.runDue();
    expect(await scene.revisions()).toHaveLength(3);
    await expectUnstamped(scene, null);
  });

  it('waits until the document is not signed again, and is not counted', async () => {
    const scene = await sealedWithout();
    const { id } = await scene.beginAgain();
    await scene.runDue();
    await expectUnstamped(scene, 60);
    expect(await scene.session()).toMatchObject({ stampAttempts: 0 });
    const stopped = { state: 'STOPPED', stoppedAt: new Date(), stopReason: 'SENDER' } as const;
    await scene.db.prisma.signatureSession.update({ where: { id }, data: stopped });
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_T' });
  });

  it('waits until the document is restored from the recycle bin', async () => {
    const scene = await sealedWithout();
    const input = { projectId: scene.project.id, documentIds: [scene.documentId] };
    await recycleDocuments(scene.ctx, input);
    await scene.runDue();
    await expectUnstamped(scene, 60);
    await restoreDocuments(scene.ctx, input);
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_T' });
  });

  it('follows an error of the store, which is thrown for the log', async () => {
    const scene = await sealedWithout();
    const broken = beforeWrite(scene.ctx.storage, () => Promise.reject(new Error('no space')));
    await expect(scene.runDue(broken)).rejects.toThrow('no space');
    await expectUnstamped(scene, 5);
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_T' });
  });

  it('keeps the file where an error of the commit hides that it was added', async () => {
    const scene = await sealedWithout();
    const { db, ctx } = scene;
    const transact: typeof db.transact = async (work) => {
      await db.transact(work);
      throw new Error('the connection was lost');
    };
    await scene.timePasses();
    const lossy = { ...db, query: db.query, transact };
    await expect(stampNext({ db: lossy, storage: ctx.storage, timeStamper: stamper })).rejects.toThrow(
      'lost',
    );
    const [, , stamped] = await scene.revisions();
    expect(await scene.bytesOf(stamped?.blobId as string)).toHaveLength(Number(stamped?.size));
    expect(await scene.sealing()).toMatchObject({ level: 'B_T' });
  });

  it('does not stamp a file that is not the one that was sealed', async () => {
    const scene = await sealedWithout();
    const { store } = scene.ctx.storage;
    const { blobId } = scene.sealed;
    const changed = Buffer.from(await scene.bytesOf(blobId));
    changed[100] = (changed[100] as number) ^ 1;
    await store.remove(blobId);
    await store.append(
      blobId,
      0,
      (async function* () {
        yield changed;
      })(),
    );
    await store.finish(blobId, changed.length);
    await expect(scene.runDue()).rejects.toThrow('has another SHA-256');
    await expectUnstamped(scene, 5);
  });

  it('is none where no authority is configured when a document is sealed, or it gave a time-stamp', async () => {
    const desk = await newSealingDesk();
    const [without, given] = [await desk.signed(['Ann']), await desk.signed(['Ann'])];
    await desk.seal(without.sessionId);
    await desk.seal(given.sessionId, desk.ctx.storage, { timeStamper: stamper });
    const sessions = [await desk.sessionOf(without.sessionId), await desk.sessionOf(given.sessionId)];
    expect(sessions.map(({ stampNextAt }) => stampNextAt)).toEqual([null, null]);
  });

  it('serves organizations by turns', async () => {
    const [many, other] = [[await sealedWithout(), await sealedWithout()], await sealedWithout()];
    const [first] = many as [Scene];
    const { documentId, sessionId } = await first.signed(['Ann']);
    authority.answer = () => 500;
    await first.seal(sessionId, first.ctx.storage, { timeStamper: stamper });
    authority.answer = normal;
    await first.db.prisma.signatureSession.updateMany({
      where: { stampNextAt: { not: null } },
      data: { stampNextAt: new Date(0) },
    });
    for (let count = 0; count < 3; count++) await first.run();
    expect(await other.sealing()).toMatchObject({ level: 'B_T' });
    await first.run();
    expect((await first.revisionsOf(documentId)).length).toBe(3);
  });
});

describe('what happens while a time-stamp is made', () => {
  it('is that another worker makes one too, of which one is added', async () => {
    const scene = await sealedWithout();
    const objects = await scene.objects();
    const storage = beforeWrite(scene.ctx.storage, () => scene.runDue());
    await scene.runDue(storage);
    const [, , stamped, ...more] = await scene.revisions();
    expect(more).toEqual([]);
    expect(await scene.session()).toMatchObject({ sealRevisionId: stamped?.id, stampAttempts: 2 });
    const kinds = await scene.kinds(scene.documentId);
    expect(kinds.filter((kind) => kind === 'document.timeStamped')).toHaveLength(1);
    expect(await scene.objects()).toEqual(new Set([...objects, stamped?.blobId]));
  });

  it('is that many look for it at once, of which one finds it', async () => {
    const scene = await sealedWithout();
    await scene.timePasses();
    const results = await Promise.all(Array.from({ length: 8 }, () => scene.run()));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await scene.revisions()).toHaveLength(3);
  });

  it('is that a revision is uploaded, which stays the newest', async () => {
    const scene = await sealedWithout();
    const upload = () =>
      newDocuments(scene.ctx, scene.project.id, [{ name: 'a.txt', documentId: scene.documentId }]);
    const { size } = await scene.objects();
    await scene.runDue(beforeWrite(scene.ctx.storage, upload));
    expect((await scene.revisions()).map(({ name }) => name).at(-1)).toBe('a.txt');
    await expectUnstamped(scene, null);
    expect((await scene.objects()).size).toBe(size + 1);
  });

  it('is that the document is purged, with what was written', async () => {
    const scene = await sealedWithout();
    const input = { projectId: scene.project.id, documentIds: [scene.documentId] };
    const objects = await scene.objects();
    const purge = async () => {
      await recycleDocuments(scene.ctx, input);
      await purgeDocuments(scene.ctx, input);
    };
    await scene.runDue(beforeWrite(scene.ctx.storage, purge));
    expect(await scene.revisions()).toEqual([]);
    expect(await scene.kinds(scene.documentId)).not.toContain('document.timeStamped');
    expect([...(await scene.objects())].filter((key) => !objects.has(key))).toEqual([]);
  });

  it('is that signing begins, for which it waits', async () => {
    const scene = await sealedWithout();
    await scene.runDue(beforeWrite(scene.ctx.storage, scene.beginAgain));
    await expectUnstamped(scene, 60);
  });
});
