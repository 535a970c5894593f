import { beforeAll, describe, expect, it } from 'vitest';
import { updateFormTemplate } from '../../../src/domain/forms/form-change.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { storedSource } from '../../../src/files/store/store.ts';
import { encryptedPdf, textPdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler } from '../../pdf/seal/job.ts';
import { answers, newForm } from '../../support/forms.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

beforeAll(dropJobs);

const PLACED = { pageIndex: 1, x: 25, y: 40, fontSize: 14 };

/** A shared form with two fields, of which only the first has a position, and a PDF of two pages as its file. */
async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const form = await newForm(ctx, world.project.id, [
    { name: 'Guest', type: 'TEXT', rules: PLACED },
    { name: 'Aside', type: 'TEXT' },
  ]);
  const [file, note] = await newDocuments(ctx, world.project.id, [
    { name: 'sheet.pdf', content: textPdf([['Cover'], ['Visitor:']]) },
    { name: 'note.txt' },
  ]);
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const give = (documentId: string | undefined) =>
    updateFormTemplate(ctx, { formTemplateId: form.id, documentId });
  const fill = async (values: Record<string, string[]>) => {
    const [submission] = await submitForm(ctx, {
      formTemplateId: form.id,
      submissions: [{ answers: answers(form.ids, values) }],
    });
    await runJobs();
    const { blob } = await world.db.prisma.revision.findFirstOrThrow({
      where: { document: { groupId: submission?.groupId } },
      include: { blob: true },
    });
    const source = storedSource(ctx.storage.store, blob.id, Number(blob.size));
    const { pages } = await readPdfText(source);
    return { pages, bytes: await source.read(0, source.size - 1) };
  };
  return { ...world, ctx, form, give, fill, file: file?.id, note: note?.id };
}

describe('a form with a PDF as its file', () => {
  it('has the answers drawn on it, and those without a position appended', async () => {
    const { give, fill, file } = await setUp();
    await give(file);
    const { pages, bytes } = await fill({ Guest: ['山田太郎'], Aside: ['in passing'] });
    expect(pages).toHaveLength(3);
    expect(pages[0]?.trim()).toBe('Cover');
    expect(pages[1]).toContain('Visitor:');
    expect(pages[1]).toContain('山田太郎');
    expect(pages[2]).toContain('in passing');
    expect(pages[2]).not.toContain('Guest');
    if (!hasPoppler) return;
    const boxes = await poppler('pdftotext', bytes, '-bbox', '-f', '2', '-l', '2');
    const [left = 0, top = 0] = (/xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>山/.exec(boxes) ?? [])
      .slice(1)
      .map(Number);
    expect(left / 612).toBeCloseTo(0.25, 2);
    expect(Math.abs(top - 0.4 * 792)).toBeLessThan(5);
  });

  it('keeps it when the document changes, and lists the answers once it is removed', async () => {
    const { ctx, project, give, fill, file, owner, form } = await setUp();
    await give(file);
    const ask = 'query ($id: ID!) { formTemplate(id: $id) { pageCount downloadUrl } }';
    expect((await owner.graph(ask, { id: form.id })).data.formTemplate).toEqual({
      pageCount: 2,
      downloadUrl: expect.stringContaining('/downloads/'),
    });
    await newDocuments(ctx, project.id, [
      { name: 'sheet.pdf', content: textPdf([['Another']]), documentId: file },
    ]);
    expect((await fill({ Guest: ['Ann'] })).pages.slice(0, 1)).toEqual([expect.stringContaining('Cover')]);
    await give('');
    expect((await owner.graph(ask, { id: form.id })).data.formTemplate.downloadUrl).toBeNull();
    const { pages } = await fill({ Guest: ['Bea'] });
    expect(pages).toEqual([expect.stringMatching(/Guest\s+Bea/)]);
  });

  it('creates the document of a submission even if its PDF cannot be drawn on', async () => {
    const { db, give, fill, file, note, form } = await setUp();
    await give(file);
    const { blobId } = await db.prisma.revision.findFirstOrThrow({ where: { documentId: note } });
    await db.prisma.formTemplate.update({ where: { id: form.id }, data: { blobId } });
    expect((await fill({ Guest: ['Ann'] })).pages).toEqual([expect.stringContaining('Ann')]);
  });

  it('rejects a file that is not a PDF, is encrypted, or is in another project', async () => {
    const { ctx, db, organization, project, stranger, give, note, form } = await setUp();
    const [elsewhere] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'B' }],
    });
    const content = textPdf([['far']]);
    const [far] = await newDocuments(ctx, elsewhere?.id as string, [{ name: 'far.pdf', content }]);
    const [locked] = await newDocuments(ctx, project.id, [
      { name: 'locked.pdf', content: encryptedPdf(1, 'user') },
    ]);
    const at = 'documentId';
    await expect(give(note)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', at });
    await expect(give(locked?.id)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', at });
    await expect(give(far?.id)).rejects.toMatchObject({ code: 'NOT_FOUND', at });
    await expect(give('doc_none')).rejects.toMatchObject({ code: 'NOT_FOUND', at });
    await expect(
      updateFormTemplate(await stranger.context(), { formTemplateId: form.id, documentId: '' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', at: 'formTemplateId' });
    expect(await db.prisma.formTemplate.findUniqueOrThrow({ where: { id: form.id } })).toMatchObject({
      blobId: null,
      pageCount: 0,
    });
  });
});
