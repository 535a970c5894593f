import { beforeAll, describe, expect, it } from 'vitest';
import { addProjectMembers } from '../../../../src/domain/membership/project-member-add.ts';
import { updateSignatureSession } from '../../../../src/domain/signatures/signature-session-change.ts';
import { signDocument } from '../../../../src/domain/signing/sign.ts';
import { SealUnusable } from '../../../../src/pdf/seal/certificate.ts';
import { brokenPng, encryptedPdf } from '../../../files/content/pdf-source.ts';
import { testDatabase } from '../../../support/database.ts';
import { dropJobs, runJobs } from '../../../support/jobs.ts';
import { newSealingDesk } from '../../../support/sealing.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newMember } from '../../../support/world.ts';

beforeAll(dropJobs);

beforeAll(testDatabase);

const SEALING = `query($id: ID!) { signatureSession(id: $id) { sealedAt version
  sealing { state attempts lastError nextAttemptAt sealedRevision { number contentType pageCount } } } }`;

const RETRY = `mutation($input: RetrySealingInput!) { retrySealing(input: $input) { session { sealing { state attempts } } } }`;

describe('the sealing of a session', () => {
  it('has a state that can be queried', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed();
    const sealing = async () =>
      (await desk.owner.graph(SEALING, { id: sessionId })).data.signatureSession.sealing;
    expect(await sealing()).toMatchObject({
      state: 'PENDING',
      attempts: 0,
      lastError: null,
      sealedRevision: null,
    });
    await runJobs();
    expect(await sealing()).toEqual({
      state: 'SEALED',
      attempts: 1,
      lastError: null,
      nextAttemptAt: null,
      sealedRevision: { number: 2, contentType: 'application/pdf', pageCount: 2 },
    });
    const { id } = (await desk.sessionOf(sessionId)) as { id: string };
    const refused = await desk.owner.graph(RETRY, { input: { sessionId: id } });
    expect(refused.errors?.[0]).toMatchObject({
      message: 'The session is sealed already.',
      extensions: { code: 'CONFLICT' },
    });
  });

  it('is the rendered document in REST v1', async () => {
    const desk = await newSealingDesk();
    const { documentId, sessionId } = await desk.signed();
    const read = async () =>
      (await desk.owner.rest('GET', `${desk.base}/documents/${documentId}/signatureSessionPackages`)).body
        .Session;
    expect(await read()).toMatchObject({ IsRendered: false, RenderedOn: '0001-01-01T00:00:00Z' });
    const evidence = `${desk.base}/documents/${documentId}/evidence`;
    expect((await desk.owner.rest('GET', evidence)).status).toBe(404);
    await desk.seal(sessionId);
    const { body } = await desk.owner.rest('GET', evidence);
    expect(JSON.parse(body.Content).document.id).toBe(documentId);
    expect((await desk.stranger.rest('GET', evidence)).status).toBe(404);
    expect(await read()).toMatchObject({ IsRendered: true, RenderedOn: expect.stringMatching(/^20/) });
  });

  it('can be retried by an editor, and by nobody else', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.signed(['Ann'], { name: 'a.png', content: brokenPng });
    await runJobs();
    const failed = (await desk.owner.graph(SEALING, { id: sessionId })).data.signatureSession.sealing;
    expect(failed).toMatchObject({
      state: 'FAILED',
      lastError: expect.stringContaining('The file cannot be drawn'),
      nextAttemptAt: null,
    });
    const input = { sessionId };
    const viewer = await newMember(desk.db, desk.organization.id, 'MEMBER');
    await addProjectMembers(desk.ctx, {
      projectId: desk.project.id,
      members: [{ person: { email: viewer.email }, role: 'VIEWER' }],
    });
    const code = async (person: typeof viewer) =>
      (await person.graph(RETRY, { input })).errors?.[0]?.extensions.code;
    expect([await code(desk.stranger), await code(viewer)]).toEqual(['NOT_FOUND', 'FORBIDDEN']);
    const retried = await desk.owner.graph(RETRY, { input });
    expect(retried.data.retrySealing.session.sealing).toEqual({ state: 'PENDING', attempts: 0 });
    await runJobs();
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED', sealingAttempts: 1 });
  });

  it('cannot be retried once the document was revised, whose new revision it would hide', async () => {
    const desk = await newSealingDesk();
    const { sessionId, documentId } = await desk.signed(['Ann'], { name: 'a.png', content: brokenPng });
    await runJobs();
    await newDocuments(desk.ctx, desk.project.id, [{ name: 'a.txt', content: 'newer', documentId }]);
    const { errors } = await desk.owner.graph(RETRY, { input: { sessionId } });
    expect(errors?.[0]).toMatchObject({
      message:
        'Revision 1 was signed, and revision 2 was uploaded since; the sealed file would hide it. Begin a new signing.',
      extensions: { code: 'CONFLICT' },
    });
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'FAILED' });
  });

  it('cannot be retried before all have signed, nor while it is running', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.begin(['Ann'], { name: 'deed.txt' });
    const message = async () =>
      (await desk.owner.graph(RETRY, { input: { sessionId } })).errors?.[0]?.message;
    expect(await message()).toContain('before the last signer has signed');
    await desk.sign(sessionId);
    const sealer = async () => {
      expect(await message()).toBe('The session is being sealed.');
      return desk.ctx.storage.sealer();
    };
    await desk.seal(sessionId, { ...desk.ctx.storage, sealer });
    expect(await desk.sessionOf(sessionId)).toMatchObject({ sealing: 'SEALED' });
  });
});

describe('a session', () => {
  it('cannot begin for a document that cannot be sealed', async () => {
    const desk = await newSealingDesk();
    const files = [
      { name: 'a.bin', content: Buffer.from([0, 1, 2, 3, 0xff, 0xfe]) },
      { name: 'a.pdf', content: Buffer.from('%PDF-1.7\nbroken') },
      { name: 'b.pdf', content: encryptedPdf(1, 'user') },
      { name: 'a.html', content: Buffer.from('<!doctype html><p>hi') },
    ];
    for (const file of files)
      await expect(desk.begin(['Ann'], file)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        at: 'documentId',
      });
  });

  it('cannot begin without a usable certificate', async () => {
    const desk = await newSealingDesk();
    const [document] = await newDocuments(desk.ctx, desk.project.id, [{ name: 'a.txt' }]);
    const sealer = () => Promise.reject(new SealUnusable('the certificate expired on Monday'));
    const ctx = { ...desk.ctx, storage: { ...desk.ctx.storage, sealer } };
    const began = updateSignatureSession(ctx, { documentId: document?.id as string, begin: true });
    await expect(began).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('the certificate expired on Monday'),
    });
  });

  it('refuses a drawn signature that could not be rendered', async () => {
    const desk = await newSealingDesk();
    const { sessionId } = await desk.begin(['Ann'], { name: 'deed.txt' });
    const [ann] = await desk.signersOf(sessionId);
    if (!ann) throw new Error('no signer');
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const huge = Buffer.concat([header, Buffer.from('0000ffff0000ffff0806000000', 'hex'), Buffer.alloc(20)]);
    const values = [
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:image/png;base64,aGVsbG8=',
      'data:image/png,hello',
      `data:image/png;base64,${huge.toString('base64')}`,
    ];
    for (const value of values) {
      const signed = signDocument(desk.through(ann), {
        sessionId,
        recipientId: ann.id,
        values: [{ fieldId: ann.fields[0]?.id as string, value }],
      });
      await expect(signed).rejects.toMatchObject({ code: 'BAD_USER_INPUT', at: 'values.0.value' });
    }
  });
});
