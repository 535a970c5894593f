import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import { gotenberg } from '../../../src/files/office/gotenberg.ts';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newGotenberg } from '../../support/office/gotenberg-server.ts';
import { docx } from '../../support/office/office-files.ts';
import { renderAll } from '../../support/office/rendering.ts';
import { newSealingDesk } from '../../support/sealing.ts';
import { testApp } from '../../support/world.ts';

beforeAll(dropJobs);

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const PDF = pdf(pages(2));
const OFFICE = docx('The offer');

async function setUp(status = 200) {
  const world = await newSealingDesk();
  const documentId = await world.document('offer.docx', OFFICE);
  const server = await newGotenberg((response) => response.writeHead(status).end(PDF));
  return { ...world, documentId, render: () => renderAll(gotenberg(server.url)) };
}

describe('an office file', () => {
  it('is signed and sealed as the PDF that was made of it, and the seal names both digests', async () => {
    const { documentId, render, ...world } = await setUp();
    await render();
    const { sessionId } = await world.active([{ name: 'Ann' }], {}, documentId);
    const session = await world.sessionOf(sessionId);
    expect(Buffer.from(session.renditionSha256 as Uint8Array).toString('hex')).toBe(hex(PDF));
    const [signer] = await world.signersOf(sessionId);
    const link = `/sign/${signer?.id}/${world.secretOf(signer as NonNullable<typeof signer>)}`;
    const app = await testApp(world.db);
    const page = await (await app.request(link)).text();
    expect(page).toContain(Buffer.from(session.copySha256 as Uint8Array).toString('hex'));
    expect((await app.request(`${link}/pages/2`)).headers.get('content-type')).toBe('image/webp');
    await world.sign(sessionId);
    await world.seal(sessionId);
    const [original, sealed] = await world.revisionsOf(documentId);
    expect([original?.name, sealed?.contentType]).toEqual(['offer.docx', 'application/pdf']);
    const { data } = await world.db.prisma.event.findFirstOrThrow({
      where: { subjectId: documentId, kind: 'document.sealed' },
    });
    expect(data).toMatchObject({ signed: { revision: 1, sha256: hex(OFFICE), renditionSha256: hex(PDF) } });
    const bytes = await world.bytesOf(sealed?.blobId as string);
    const evidence = (await writeEvidenceOf(world.ctx, documentId)) as string;
    expect(JSON.parse(evidence)).toMatchObject({ sessions: [{ renditionSha256: hex(PDF) }] });
    expect((await checkEvidence(evidence, bytes)).errors).toEqual([]);
    if (!hasPoppler) return;
    const text = (await poppler('pdftotext', bytes)).replace(/\s+/g, '');
    for (const digest of [hex(OFFICE), hex(PDF)]) expect(text).toContain(digest);
  });

  it('has its quick fields on the last page of that PDF', async () => {
    const { documentId, render, ...world } = await setUp();
    await render();
    const { sessionId } = await world.active([{ name: 'Ann' }], { design: 'QUICK' }, documentId);
    const [signer] = await world.signersOf(sessionId);
    expect(signer?.fields.map(({ pageIndex }) => pageIndex)).toEqual([1]);
  });

  it('cannot be signed before there is one, nor where none can be made', async () => {
    const pending = await setUp();
    const begin = (world: typeof pending) => world.active([{ name: 'Ann' }], {}, world.documentId);
    await expect(begin(pending)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const failed = await setUp(400);
    await failed.render();
    await expect(begin(failed)).rejects.toThrow('no PDF could be made of this office file');
    await failed.db.prisma.rendition.deleteMany({ where: { revision: { documentId: failed.documentId } } });
    await expect(begin(failed)).rejects.toThrow('no PDF was made of this office file');
  });
});
