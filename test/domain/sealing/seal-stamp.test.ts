import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import { handlers } from '../../../src/jobs/handlers.ts';
import { DAY } from '../../../src/lib/time.ts';
import { timeStamper } from '../../../src/timestamp/authority.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { checkToken } from '../../../src/verify/time-stamp.js';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { openssl } from '../../support/time-stamps/certificates.ts';

let authority: TestAuthority;
let spare: TestAuthority;
let normal: TestAuthority['answer'];

beforeAll(dropJobs);
beforeAll(async () => {
  [authority, spare] = [await openAuthority(), await openAuthority()];
  normal = authority.answer;
});
afterAll(() => Promise.all([authority.close(), spare.close()]));
beforeEach(() => {
  authority.answer = normal;
});

/** Signs a document and has it sealed with time-stamps of `urls`. */
async function sealWith(urls: string[]) {
  const desk = await newSealingDesk();
  const { documentId, sessionId } = await desk.signed(['Ann']);
  const reports: string[] = [];
  const stamper = timeStamper({ urls, roots: [...authority.roots, ...spare.roots], timeout: 500 });
  const stamping = { timeStamper: stamper, report: (error: unknown) => reports.push(String(error)) };
  await desk.seal(sessionId, desk.ctx.storage, stamping);
  const session = await desk.sessionOf(sessionId);
  const sealed = (await desk.revisionsOf(documentId)).at(-1);
  const bytes = await desk.bytesOf(sealed?.blobId as string);
  const event = await desk.db.prisma.event.findFirstOrThrow({
    where: { subjectId: documentId, kind: 'document.sealed' },
  });
  const { data } = await desk.owner.graph(
    'query ($id: ID!) { node(id: $id) { ... on SignatureSession { sealing { state level timestampedAt timestampAuthority } } } }',
    { id: sessionId },
  );
  const evidence = (await writeEvidenceOf(desk.ctx, documentId)) as string;
  return {
    evidence,
    session,
    bytes,
    event: event.data as Record<string, unknown>,
    reports,
    shown: data.node.sealing,
  };
}

const UNSTAMPED = { state: 'SEALED', level: 'B_B', timestampedAt: null, timestampAuthority: null };

describe('the time-stamp of a seal', () => {
  it('is in its signature, in the event and in the graph', async () => {
    const before = Date.now();
    const { bytes, event, shown, session, reports } = await sealWith([authority.url]);
    const { timeStamp } = await checkSeal(nodeSuite, bytes);
    if (!timeStamp) throw new Error('no time-stamp');
    const { time, isTrusted } = await checkToken(
      nodeSuite,
      timeStamp.token,
      timeStamp.digest,
      authority.roots,
    );
    expect([isTrusted, time.getTime() > before - DAY, reports]).toEqual([true, true, []]);
    expect(session).toMatchObject({ sealStampedAt: time, sealAuthority: 'O=Harbour, CN=Clock' });
    expect(event.timeStamp).toEqual({ time: time.toISOString(), authority: 'O=Harbour, CN=Clock' });
    expect(shown).toEqual({
      ...{ state: 'SEALED', level: 'B_T', timestampedAt: time.toISOString() },
      timestampAuthority: 'O=Harbour, CN=Clock',
    });
  });

  it('is accepted by openssl and Poppler, and with a byte changed by neither', async () => {
    const { bytes } = await sealWith([authority.url]);
    const { timeStamp } = await checkSeal(nodeSuite, bytes);
    const verify = (token: Uint8Array) => {
      writeFileSync(join(authority.folder, 'token.der'), token);
      const digest = Buffer.from(timeStamp?.digest as Uint8Array).toString('hex');
      return openssl(
        authority.folder,
        `ts -verify -digest ${digest} -in token.der -token_in -CAfile root.pem`,
      ).toString();
    };
    const token = timeStamp?.token as Uint8Array;
    expect(verify(token)).toContain('Verification: OK');
    const at = Buffer.from(token).indexOf(timeStamp?.digest as Uint8Array);
    expect(() => verify(token.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toThrow();
    if (!hasPoppler) return;
    expect(await poppler('pdfsig', bytes)).toMatch(/Total document signed[\s\S]*Signature is Valid/);
    const altered = bytes.map((byte, index) => (index === 100 ? byte ^ 1 : byte));
    expect(await poppler('pdfsig', altered)).not.toContain('Signature is Valid');
  });

  it('is checked with an evidence file, by whoever is trusted', async () => {
    const { bytes, evidence } = await sealWith([authority.url]);
    const check = (authorities: TestAuthority['roots']) => checkEvidence(evidence, bytes, { authorities });
    for (const roots of [authority.roots, []]) {
      const { errors, summary } = await check(roots);
      expect(errors).toEqual([]);
      expect(summary).toContainEqual(
        expect.stringMatching(/^Sealed before 20.*, by the time-stamp of O=Harbour, CN=Clock \(SHA-256 /),
      );
    }
    expect((await check(spare.roots)).errors).toEqual([
      'The time-stamp of the seal is not by an authority under the given certificate.',
    ]);
  });

  it('is of the spare authority where the first is away', async () => {
    authority.answer = () => 500;
    const { bytes, shown } = await sealWith([authority.url, spare.url]);
    const { timeStamp } = await checkSeal(nodeSuite, bytes);
    const stamp = await checkToken(
      nodeSuite,
      timeStamp?.token as Uint8Array,
      timeStamp?.digest as Uint8Array,
      spare.roots,
    );
    expect([stamp.isTrusted, shown.level]).toEqual([true, 'B_T']);
  });

  const nonce = Buffer.alloc(8, 0x41);
  const other = createHash('sha256').update('another file').digest();
  const faults: [string, () => void, RegExp][] = [
    ['answers with an error', () => (authority.answer = () => 500), /status 500/],
    ['does not answer', () => (authority.answer = () => 'NONE'), /no answer in time/],
    ['answers another request', () => authority.answerWith({ nonce }), /another request/],
    ['stamps another digest', () => authority.answerWith({ digest: other }), /another digest/],
    ['refuses', () => (authority.answer = () => Buffer.from('30053003020102', 'hex')), /status 2/],
    [
      'has an expired certificate',
      () => authority.answerWith({ time: new Date(Date.now() + 20 * DAY) }),
      /was not valid/,
    ],
    [
      'has a certificate for other uses',
      () => authority.answerWith({}, 'general'),
      /not for time-stamps alone/,
    ],
    ['has a clock off by a day', () => authority.answerWith({ time: new Date(Date.now() + DAY) }), /clock/],
    ['answers with too much', () => (authority.answer = () => Buffer.alloc(70_000)), /more than/],
  ];

  it.each(
    faults,
  )('is left out where the authority %s, and the document is sealed all the same', async (_, arrange, problem) => {
    arrange();
    const { bytes, event, shown, reports } = await sealWith([authority.url]);
    expect((await checkSeal(nodeSuite, bytes)).timeStamp).toBeUndefined();
    expect(shown).toEqual(UNSTAMPED);
    expect(event).not.toHaveProperty('timeStamp');
    expect(reports).toEqual([expect.stringMatching(problem)]);
  });

  it('is asked for by the job that seals', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed(['Ann']);
    const stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
    const job = { ...(await jobContext(desk.db)), timeStamper: stamper };
    while (await handlers.seal(job));
    expect(await desk.sessionOf(sessionId)).toMatchObject({
      ...{ sealing: 'SEALED', sealAuthority: 'O=Harbour, CN=Clock' },
    });
  });

  it('is left out where it is larger than the space for it', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed(['Ann']);
    const real = timeStamper({ urls: [authority.url], roots: authority.roots });
    const large = async (digest: Uint8Array) => {
      const stamped = await real(digest);
      const token = Buffer.concat([Buffer.from('30822ee0', 'hex'), Buffer.alloc(12_000)]);
      return { ...stamped, token: Uint8Array.from(token) };
    };
    await desk.seal(sessionId, desk.ctx.storage, { timeStamper: large });
    const [, sealed] = await desk.revisionsOf(documentId);
    expect(
      (await checkSeal(nodeSuite, await desk.bytesOf(sealed?.blobId as string))).timeStamp,
    ).toBeUndefined();
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED', sealStampedAt: null });
  });
});
