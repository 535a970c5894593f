import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recycleDocuments, restoreDocuments } from '../../../src/domain/documents/document-bin.ts';
import { verifyChains } from '../../../src/domain/events/audit-verify.ts';
import { stampNext } from '../../../src/domain/sealing/document-stamp.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import type { StampingSite } from '../../../src/domain/sealing/seal-stamp.ts';
import { MAX_STAMP_ATTEMPTS } from '../../../src/domain/sealing/stamp-schedule.ts';
import { handlers } from '../../../src/jobs/handlers.ts';
import { newId } from '../../../src/lib/id.ts';
import { toHex } from '../../../src/lib/text/hex.ts';
import { DAY, MINUTE } from '../../../src/lib/time.ts';
import { newLifecycle } from '../../../src/telemetry/lifecycle.ts';
import { openMetrics } from '../../../src/telemetry/metrics.ts';
import { type TimeStamper, timeStamper } from '../../../src/timestamp/authority.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal, levelOf } from '../../../src/verify/seal.js';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { newApp } from '../../support/browser.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { openRevocation, type TestRevocation } from '../../support/revocation/authority.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { newDocuments } from '../../support/storage.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { visitorsOf } from '../../web/console/scene.ts';

const DAY_MINUTES = DAY / MINUTE;

const SEALING = `query ($id: ID!) { signatureSession(id: $id) {
  sealing { level timestampedAt sealedRevision { number } } } }`;

let revocation: TestRevocation;
let authority: TestAuthority;
let normal: TestAuthority['answer'];
let stamper: TimeStamper;

beforeAll(async () => {
  revocation = await openRevocation();
  authority = await openAuthority(revocation.folder);
  normal = authority.answer;
});
beforeEach(dropJobs);
beforeEach(() => {
  revocation.reset();
  authority.answer = normal;
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
});
afterAll(async () => {
  await authority.close();
  await revocation.close();
});

/** As the authority gives a time-stamp two minutes ago: answers about its certificate are newer. */
const stampEarlier = () => authority.answerWith({ time: new Date(Date.now() - 2 * MINUTE) });

/** A document that was sealed with a revocable certificate and a time-stamp, and the job that follows. */
async function stampedSeal(seal: () => void = stampEarlier) {
  const desk = await newSealingDesk();
  const { db } = desk;
  const { documentId, sessionId } = await desk.signed(['Ann']);
  const storage = { ...desk.ctx.storage, sealer: async () => revocation.sealCertificate() };
  seal();
  await desk.seal(sessionId, storage, { timeStamper: stamper });
  authority.answer = normal;
  const [, sealed] = await desk.revisionsOf(documentId);
  if (!sealed) throw new Error('the document was not sealed');
  const reports: string[] = [];
  const site = { roots: authority.roots, report: (error: unknown) => reports.push(String(error)) };
  const run = (given: StampingSite = {}) =>
    stampNext({ db, storage, timeStamper: stamper, ...site, ...given });
  const timePasses = () =>
    db.prisma.signatureSession.updateMany({
      where: { id: sessionId, stampNextAt: { not: null } },
      data: { stampNextAt: new Date(Date.now() - 1) },
    });
  return {
    ...desk,
    ...{ documentId, sessionId, sealed, storage, reports, timePasses },
    session: () => desk.sessionOf(sessionId),
    revisions: () => desk.revisionsOf(documentId),
    /** Another session on the sealed file. */
    beginAgain: () =>
      db.prisma.signatureSession.create({
        data: {
          ...{ id: newId('SignatureSession'), documentId, revisionId: sealed.id, state: 'ACTIVE' },
          ...{ organizationId: desk.organization.id, projectId: desk.project.id, createdById: desk.owner.id },
        },
      }),
    eventsOf: (kind: string) =>
      db.prisma.event.findMany({
        where: { subjectId: documentId, kind },
        orderBy: { sequence: 'asc' },
        select: { data: true },
      }),
    sealing: async () => (await desk.owner.graph(SEALING, { id: sessionId })).data.signatureSession.sealing,
    /** Runs the job at the time at which it is due. */
    runDue: async (given?: StampingSite) => {
      await timePasses();
      return run(given);
    },
  };
}

type Scene = Awaited<ReturnType<typeof stampedSeal>>;

/** Minutes until the next attempt. */
async function waitOf({ session }: Scene): Promise<number | null> {
  const { stampNextAt } = await session();
  return stampNextAt && Math.round((stampNextAt.getTime() - Date.now()) / MINUTE);
}

/** The scene is as it was, but for its next attempt, in minutes. */
async function expectUnchanged(scene: Scene, wait: number | null) {
  const { sealRevisionId, sealValidatedAt, sealingBlobId } = await scene.session();
  expect([sealRevisionId, sealValidatedAt, sealingBlobId]).toEqual([scene.sealed.id, null, null]);
  expect(await scene.eventsOf('document.validationDataAdded')).toEqual([]);
  expect(await scene.sealing()).toMatchObject({ level: 'B_T', sealedRevision: { number: 2 } });
  expect(await waitOf(scene)).toBe(wait);
}

async function expectValidChain({ db, organization }: Scene) {
  const findings = [];
  for await (const { finding } of verifyChains(db, organization.id)) findings.push(finding);
  expect(findings).toEqual([undefined]);
}

function answerNothing() {
  for (const path of ['/issuing.ocsp', '/issuing.crl']) revocation.answers.set(path, () => 500);
}

describe('a time-stamped seal', () => {
  it('gets validation data a day later, as a new revision', async () => {
    const scene = await stampedSeal();
    await expectUnchanged(scene, DAY_MINUTES);
    expect(await scene.runDue()).toBe(true);
    const [, , added, ...more] = await scene.revisions();
    expect([added?.number, more]).toEqual([3, []]);
    const [before, bytes] = [
      await scene.bytesOf(scene.sealed.blobId),
      await scene.bytesOf(added?.blobId as string),
    ];
    expect(bytes.subarray(0, before.length).equals(before)).toBe(true);
    expect(levelOf(await checkSeal(nodeSuite, bytes))).toBe('B-LTA');
    const { sealStampedAt, sealValidatedAt, ...session } = await scene.session();
    expect(session).toMatchObject({ sealRevisionId: added?.id, stampNextAt: null, sealingBlobId: null });
    expect(Number(sealValidatedAt) - Number(sealStampedAt)).toBeGreaterThan(MINUTE);
    expect(await scene.sealing()).toEqual({
      ...{ level: 'B_LTA', timestampedAt: sealStampedAt?.toISOString(), sealedRevision: { number: 3 } },
    });
    expect([await scene.runDue(), scene.reports]).toEqual([false, []]);
    if (hasPoppler)
      expect(await poppler('pdfsig', bytes)).toMatch(/Signature is Valid[\s\S]*Total document signed/);
  });

  it('has an event of both files, in a chain that is valid', async () => {
    const scene = await stampedSeal();
    await scene.runDue();
    const [, , added] = await scene.revisions();
    const { sealValidatedAt } = await scene.session();
    const [event, ...others] = await scene.eventsOf('document.validationDataAdded');
    expect(event?.data).toEqual({
      sessionId: scene.sessionId,
      sealed: { revision: 2, sha256: toHex(scene.sealed.blob.sha256), size: Number(scene.sealed.size) },
      timeStamp: { time: sealValidatedAt?.toISOString(), authority: 'O=Harbour, CN=Clock' },
      validation: { certificates: 4, ocsp: 2, crls: 1 },
      after: {
        ...{ revision: 3, contentType: 'application/pdf' },
        ...{ size: Number(added?.size), sha256: toHex(added?.blob.sha256 as Uint8Array) },
      },
    });
    expect([others, await scene.eventsOf('document.timeStamped')]).toEqual([[], []]);
    await expectValidChain(scene);
  });

  it('is checked with the evidence of the document', async () => {
    const scene = await stampedSeal();
    await scene.runDue();
    const bytes = await scene.bytesOf((await scene.revisions()).at(-1)?.blobId as string);
    const evidence = await writeEvidenceOf({ ...scene.ctx, storage: scene.storage }, scene.documentId);
    const trusted = { authorities: authority.roots };
    const { errors, summary } = await checkEvidence(evidence as string, bytes, trusted);
    expect(errors).toEqual([]);
    expect(summary.join('\n')).toContain(
      'Level PAdES B-LTA: the file has 4 certificates, 2 OCSP responses and 1 CRLs for later checks',
    );
  });

  it('gets a late document time-stamp first, and validation data a day after that', async () => {
    const scene = await stampedSeal(() => {
      authority.answer = () => 500;
    });
    const data = { stampAttempts: 5 };
    await scene.db.prisma.signatureSession.update({ where: { id: scene.sessionId }, data });
    stampEarlier();
    await scene.runDue();
    expect([await waitOf(scene), (await scene.session()).stampAttempts]).toEqual([DAY_MINUTES, 0]);
    expect(await scene.sealing()).toMatchObject({ level: 'B_T', sealedRevision: { number: 3 } });
    authority.answer = normal;
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_LTA', sealedRevision: { number: 4 } });
    expect(await waitOf(scene)).toBeNull();
  });

  it('is the work of background jobs, and on the page of the session in the console', async () => {
    const scene = await stampedSeal();
    const visitor = await visitorsOf(scene.db, await newApp(scene.db))(scene.owner);
    const path = `/console/${scene.organization.id}/projects/${scene.project.id}/signatures/${scene.sessionId}`;
    const sentence = 'The file has the answers of the authorities that no certificate was revoked.';
    expect((await visitor.open(path)).text).not.toContain(sentence);
    const services = { timeStamper: stamper, timeStampRoots: authority.roots };
    const job = { ...(await jobContext(scene.db)), ...services };
    await scene.timePasses();
    expect([await handlers.stamp(job), await handlers.stamp(job)]).toEqual([true, false]);
    expect((await visitor.open(path)).text).toContain(sentence);
  });

  it('gets nothing if its certificate is self-signed', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed(['Ann']);
    await desk.seal(sessionId, desk.ctx.storage, { timeStamper: stamper });
    const { sealStampedAt, stampNextAt } = await desk.sessionOf(sessionId);
    expect([sealStampedAt === null, stampNextAt]).toEqual([false, null]);
  });
});

describe('a revoked certificate', () => {
  it.each([
    ['signer', 'O=Harbour, CN=Seal'],
    ['tsa', 'O=Harbour, CN=Clock'],
  ] as const)('ends the attempts, with one event: %s', async (name, certificate) => {
    const scene = await stampedSeal();
    const objects = await scene.objects();
    revocation.revoke(name);
    expect([await scene.runDue(), await scene.runDue()]).toEqual([true, false]);
    await expectUnchanged(scene, null);
    expect(await scene.eventsOf('document.validationFailed')).toEqual([
      {
        data: {
          ...{ sessionId: scene.sessionId, reason: 'CERTIFICATE_REVOKED', certificate },
          revokedAt: expect.stringMatching(/^20.*Z$/),
        },
      },
    ]);
    await expectValidChain(scene);
    expect(await scene.objects()).toEqual(objects);
  });

  it('is recorded once by attempts that run at the same time', async () => {
    const scene = await stampedSeal();
    revocation.revoke('signer');
    await Promise.all([scene.runDue(), scene.runDue(), scene.runDue()]);
    while (await scene.runDue());
    expect(await scene.eventsOf('document.validationFailed')).toHaveLength(1);
  });
});

describe('the next attempt', () => {
  it('follows ever later while an authority does not answer, and then none', async () => {
    const scene = await stampedSeal();
    answerNothing();
    const objects = await scene.objects();
    const waits = [];
    for (let attempt = 1; attempt <= MAX_STAMP_ATTEMPTS; attempt++) {
      await scene.runDue();
      waits.push(await waitOf(scene));
    }
    expect(waits).toEqual([5, 30, 120, 360, 720, ...Array(15).fill(DAY_MINUTES), null]);
    await expectUnchanged(scene, null);
    expect(await scene.objects()).toEqual(objects);
    expect(scene.reports).toHaveLength(MAX_STAMP_ATTEMPTS);
    expect(scene.reports[0]).toContain('Whether O=Harbour, CN=Seal is revoked is not known: 127.0.0.1:');
  });

  it('follows where no time-stamp is given, or no authority is configured any more', async () => {
    const scene = await stampedSeal();
    authority.answer = () => 500;
    await scene.runDue();
    await expectUnchanged(scene, 5);
    revocation.requests.length = 0;
    await scene.runDue({ timeStamper: undefined });
    await expectUnchanged(scene, 30);
    expect(revocation.requests).toEqual([]);
  });

  it('follows an answer that is older than the time-stamp', async () => {
    const answer = revocation.ocspOf('signer');
    const scene = await stampedSeal(() => authority.answerWith({ time: new Date(Date.now() + MINUTE) }));
    revocation.answers.set('/issuing.ocsp', () => answer);
    revocation.answers.set('/issuing.crl', () => 404);
    await scene.runDue();
    await expectUnchanged(scene, 5);
  });

  it('counts as one that waits only after a failure', async () => {
    const scene = await stampedSeal();
    const { registry } = openMetrics({ db: scene.db, lifecycle: newLifecycle() });
    const waiting = async () =>
      /docgraph_jobs\{queue="stamp",state="retry"\} (\d+)/.exec(await registry.metrics())?.[1];
    expect(await waiting()).toBe('0');
    answerNothing();
    await scene.runDue();
    expect(await waiting()).toBe('1');
  });

  it('is none where a newer revision was uploaded', async () => {
    const scene = await stampedSeal();
    await newDocuments(scene.ctx, scene.project.id, [{ name: 'a.txt', documentId: scene.documentId }]);
    await scene.runDue();
    expect(await scene.revisions()).toHaveLength(3);
    await expectUnchanged(scene, null);
  });

  it('waits until the document is not signed again, and is not counted', async () => {
    const scene = await stampedSeal();
    const { id } = await scene.beginAgain();
    await scene.runDue();
    await expectUnchanged(scene, 60);
    expect(await scene.session()).toMatchObject({ stampAttempts: 0 });
    const stopped = { state: 'STOPPED', stoppedAt: new Date(), stopReason: 'SENDER' } as const;
    await scene.db.prisma.signatureSession.update({ where: { id }, data: stopped });
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_LTA' });
  });

  it('waits until the document is restored from the recycle bin', async () => {
    const scene = await stampedSeal();
    const input = { projectId: scene.project.id, documentIds: [scene.documentId] };
    await recycleDocuments(scene.ctx, input);
    await scene.runDue();
    await expectUnchanged(scene, 60);
    await restoreDocuments(scene.ctx, input);
    await scene.runDue();
    expect(await scene.sealing()).toMatchObject({ level: 'B_LTA' });
  });
});
