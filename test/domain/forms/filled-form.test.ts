import { decodePDFRawStream, type PDFArray, PDFDocument, type PDFRawStream } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileFilledForm, readFilledForm } from '../../../src/domain/forms/filled-form.ts';
import { findForms, formLink } from '../../../src/domain/forms/form.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { linkViewer } from '../../../src/domain/kernel/viewer.ts';
import { countPages } from '../../../src/files/content/pdf/pdf-pages.ts';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { renderPage } from '../../../src/files/content/pictures/page-image.ts';
import { fileForm } from '../../../src/jobs/file-form.ts';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { answers, newFormWorld } from '../../support/forms.ts';
import { dropJobs, jobContext, runJobs } from '../../support/jobs.ts';
import { joinProject, newMember } from '../../support/world.ts';

beforeAll(dropJobs);

let world: Awaited<ReturnType<typeof newFormWorld>>;

beforeAll(async () => {
  world = await newFormWorld(
    { name: 'Guest', type: 'TEXT', rules: { required: true } },
    { name: 'People', type: 'NUMBER' },
    { name: 'Tools', type: 'TEXT', multipleValues: true },
    { name: 'Colour', type: 'TEXT', choices: true, rules: { possibleValues: ['green'] } },
    { name: 'Aside', type: 'TEXT', onDocuments: false },
  );
  await shareFormTemplates(world.ctx, { formTemplateIds: [world.form.id], isPublic: true });
});

const through = async () => {
  const [form] = await findForms(world.ctx, [world.form.id]);
  return { ...world.ctx, viewer: linkViewer((form && formLink(world.ctx, form)) ?? '') };
};

const submit = async (ctx: typeof world.ctx, ...several: Record<string, string[]>[]) =>
  submitForm(ctx, {
    formTemplateId: world.form.id,
    submissions: several.map((values) => ({ answers: answers(world.form.ids, values) })),
  });

const documentsOf = (groupId: string) =>
  world.db.prisma.document.findMany({
    where: { groupId },
    include: { fieldValues: { include: { field: true } }, revisions: { include: { blob: true } } },
    orderBy: { id: 'asc' },
  });

describe('the document of a submission', () => {
  it('is a PDF in the project of the form, with the answers as its values', async () => {
    const [submission] = await submit(await through(), {
      Guest: ['Zsófia Przybył'],
      People: ['12'],
      Tools: ['axe', 'saw'],
      Colour: ['green'],
      Aside: ['not for documents'],
    });
    await runJobs();
    const [document, ...more] = await documentsOf(submission?.groupId as string);
    expect(more).toEqual([]);
    expect(document).toMatchObject({
      projectId: world.project.id,
      folderId: null,
      origin: 'FORM',
      contentType: 'application/pdf',
      pageCount: 1,
      createdById: world.owner.id,
    });
    expect(document?.name).toMatch(/^Visit \d{4}-\d\d-\d\d \d\d\.\d\d\.pdf$/);
    const values = document?.fieldValues.map(({ field, text }) => `${field.name}: ${text}`).sort();
    expect(values).toEqual([
      'Colour: green',
      'Guest: Zsófia Przybył',
      'People: 12',
      'Tools: axe',
      'Tools: saw',
    ]);
    const { documentId } = await world.db.prisma.formSubmission.findUniqueOrThrow({
      where: { id: submission?.id },
    });
    expect(documentId).toBe(document?.id);
  });

  it('is found by its answers, and is the document of the submission in GraphQL', async () => {
    const [submission] = await submit(await through(), { Guest: ['Wilhelmina'] });
    await runJobs();
    const { data } = await world.owner.graph(
      `query ($org: ID!, $form: ID!) {
        organization(id: $org) { search(query: "Wilhelmina") { nodes { node { id } } } }
        formTemplate(id: $form) { submissions(first: 1) { nodes { id groupId document { id origin groupId } } } }
      }`,
      { org: world.organization.id, form: world.form.id },
    );
    const [node] = data.formTemplate.submissions.nodes;
    expect(node).toMatchObject({
      id: submission?.id,
      document: { origin: 'FORM', groupId: submission?.groupId },
    });
    expect(data.organization.search.nodes).toEqual([{ node: { id: node.document.id } }]);
  });

  it('shows the submitter, if they have an account, in GraphQL and in its event', async () => {
    const client = { address: '192.0.2.9', userAgent: 'test' };
    const [unknown] = await submit({ ...(await through()), client }, { Guest: ['passer-by'] });
    const [registered] = await submit(world.ctx, { Guest: ['owner'] });
    await runJobs();
    const tell = async (submission: typeof registered, person = world.owner) => {
      const { documentId } = await world.db.prisma.formSubmission.findUniqueOrThrow({
        where: { id: submission?.id },
      });
      const { data } = await person.graph(
        `query ($id: ID!) { document(id: $id) { origin createdBy { id } formSubmission { id ipAddress submittedBy { id } }
          events(first: 1) { nodes { kind createdBy { id } changes { member after } } } } }`,
        { id: documentId },
      );
      return data.document;
    };
    const ownerId = { id: world.owner.id };
    const event = (createdBy: object | null, id?: string) => ({
      nodes: [
        {
          kind: 'document.created',
          createdBy,
          changes: expect.arrayContaining([{ member: 'formSubmissionId', after: JSON.stringify(id) }]),
        },
      ],
    });
    expect(await tell(unknown)).toMatchObject({
      origin: 'FORM',
      createdBy: ownerId,
      formSubmission: { id: unknown?.id, ipAddress: '192.0.2.9', submittedBy: null },
      events: event(null, unknown?.id),
    });
    expect(await tell(registered)).toMatchObject({
      formSubmission: { id: registered?.id, submittedBy: ownerId },
      events: event(ownerId, registered?.id),
    });
  });

  it('is created for each of several submissions, in one group', async () => {
    const submissions = await submit(world.ctx, { Guest: ['one'] }, { Guest: ['two'] });
    expect(await documentsOf(submissions[0]?.groupId as string)).toEqual([]);
    await runJobs();
    expect(await documentsOf(submissions[0]?.groupId as string)).toHaveLength(2);
  });

  it('is created once, however often the job runs', async () => {
    const [submission] = await submit(world.ctx, { Guest: ['once'] });
    const ctx = await jobContext();
    const filled = await readFilledForm(world.db, submission?.id as string);
    if (!filled) throw new Error('there is nothing to file');
    const draw = () => formPdf(filled);
    await fileFilledForm(ctx, filled, draw);
    await fileFilledForm(ctx, filled, draw);
    await fileForm(ctx, submission?.id as string);
    await runJobs();
    expect(await documentsOf(submission?.groupId as string)).toHaveLength(1);
  });

  it('does not add to the choices of the project', async () => {
    const before = await world.db.prisma.fieldListItem.count();
    await submit(world.ctx, { Guest: ['chooser'], Colour: ['green'] });
    await runJobs();
    expect(await world.db.prisma.fieldListItem.count()).toBe(before);
  });

  it('is not created for a deleted submission or project', async () => {
    expect(await readFilledForm(world.db, 'fsb_none')).toBeUndefined();
    const [submission] = await submit(world.ctx, { Guest: ['late'] });
    const mark = (purgeMarkedAt: Date | null) =>
      world.db.prisma.project.update({ where: { id: world.project.id }, data: { purgeMarkedAt } });
    await mark(new Date());
    await runJobs();
    await mark(null);
    expect(await documentsOf(submission?.groupId as string)).toEqual([]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    'is created once if many processes run its job concurrently',
    async () => {
      const [submission] = await submit(world.ctx, { Guest: ['raced'] });
      const ctx = await jobContext();
      const filled = await readFilledForm(world.db, submission?.id as string);
      if (!filled) throw new Error('there is nothing to file');
      // Drawn before, so that the attempts meet at every step that follows.
      const drawn = await formPdf(filled);
      const draw = async () => drawn;
      await Promise.all(Array.from({ length: 20 }, () => fileFilledForm(ctx, filled, draw)));
      expect(await documentsOf(submission?.groupId as string)).toHaveLength(1);
    },
  );
});

/** The codes of the glyphs on the first page of a PDF, in drawing order. */
async function glyphsOf(bytes: Uint8Array): Promise<string[]> {
  const page = (await PDFDocument.load(bytes)).getPage(0);
  const contents = page.node.Contents() as PDFArray;
  const drawn = contents.asArray().map((each) => {
    const stream = page.doc.context.lookup(each) as PDFRawStream;
    return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
  });
  return [...drawn.join('\n').matchAll(/<([0-9a-f]{4})>/g)].flatMap(([, hex]) => hex ?? []);
}

describe('an answer that cannot be drawn', () => {
  it.each([
    ['\u2800', 'Guest: has no visible character'],
    ['Ann 𓀀', 'Guest: has a character that cannot be drawn: 𓀀 (U+13000)'],
  ])('is refused with the field and the reason: %j', async (value, message) => {
    const count = () => world.db.prisma.formSubmission.count({ where: { formTemplateId: world.form.id } });
    const before = await count();
    await expect(submit(await through(), { Guest: [value] })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message,
    });
    expect(await count()).toBe(before);
  });
});

describe('the PDF of a form', () => {
  const sheet = (values: string[]) => ({
    formName: 'Visit',
    projectName: 'Quay',
    organizationName: 'Harbor',
    submittedBy: 'Åsa',
    submittedAt: new Date('2031-03-04T05:06:00Z'),
    answers: [{ label: 'Notes', values }],
  });

  it('contains every answer as text, in any script', async () => {
    const values = [
      'Größe, čaj, дождь, καιρός',
      '山田太郎 王小明 김민수',
      'דוד בן־גוריון',
      'שלום (עולם) 123 abc',
      'محمد بن سلمان',
      'second\nthird',
    ];
    const { bytes } = await formPdf(sheet(values));
    const { pages } = await readPdfText(sourceOf(bytes));
    expect(pages).toHaveLength(1);
    const signs = (text: string) => [...text.normalize('NFKC').replace(/\s/g, '')].sort().join('');
    const header = 'Harbor·QuayVisitFilledinon2031-03-0405:06UTCbyÅsaNotes';
    expect(signs(pages[0] as string)).toBe(signs(header + values.join('')));
  });

  it('shows right-to-left text in reading order', async () => {
    const { bytes } = await formPdf(sheet(['X אבב']));
    const [left, middle, right] = (await glyphsOf(bytes)).slice(-3);
    expect([left === middle, middle === right]).toEqual([true, false]);
  });

  it('handles characters without a glyph, very long words and texts over many pages', async () => {
    const { bytes, pageCount } = await formPdf(
      sheet(['漢字 🎉 \u0000\u202e end', 'x'.repeat(9_000), 'word '.repeat(2_000)]),
    );
    expect(pageCount).toBeGreaterThan(2);
    expect(await countPages(sourceOf(Buffer.from(bytes)))).toEqual({ pages: pageCount });
    expect(await renderPage(sourceOf(Buffer.from(bytes)), pageCount, 200)).not.toBeNull();
  });
});

describe('the export of submissions', () => {
  const path = () =>
    `/organizations/${world.organization.id}/projects/${world.project.id}/formTemplates/${world.form.id}/submissions.csv`;

  it('is CSV with a column for each field, without formulas', async () => {
    const [submission] = await submit(world.ctx, {
      Guest: ['=HYPERLINK("http://evil.example")'],
      People: ['-5'],
      Tools: ['axe, large', 'saw'],
    });
    await runJobs();
    const { status, body, headers } = await world.owner.rest('GET', path());
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="submissions.csv"');
    const row = await world.db.prisma.formSubmission.findUniqueOrThrow({ where: { id: submission?.id } });
    expect(
      body.startsWith(
        '\ufeffSubmission,Submitted at,Submitted by,Document,Guest,People,Tools,Colour,Aside\r\n',
      ),
    ).toBe(true);
    expect(body).toContain(
      `${row.id},${row.createdAt.toISOString()},${world.owner.email},${row.documentId},` +
        `"'=HYPERLINK(""http://evil.example"")",-5,"axe, large\nsaw",,\r\n`,
    );
  });

  it('begins with a byte order mark, so that Excel reads umlauts, unless the caller wants none', async () => {
    await submit(world.ctx, { Guest: ['Jörg Müßig'] });
    const textOf = async (query: string) => (await world.owner.rest('GET', path() + query)).body;
    const marked = await textOf('');
    expect(marked).toMatch(/^\ufeffSubmission,.*\r\n/);
    expect(marked).toContain(',Jörg Müßig,');
    expect(await textOf('?bom=true')).toBe(marked);
    expect(await textOf('?bom=false')).toBe(marked.slice(1));
  });

  it('continues over all pages, with each submission once', async () => {
    const more = Array.from({ length: 100 }, (_, index) => ({ Guest: [`guest ${index}`] }));
    await submit(world.ctx, ...more);
    const { body } = await world.owner.rest('GET', path());
    const ids = body.split('\r\n').flatMap((line: string) => /^fsb_\w+/.exec(line)?.[0] ?? []);
    const stored = await world.db.prisma.formSubmission.count({ where: { formTemplateId: world.form.id } });
    expect(stored).toBeGreaterThan(100);
    expect(ids).toHaveLength(stored);
    expect(new Set(ids).size).toBe(stored);
  });

  it('contains only their own submissions for others, and none for outsiders', async () => {
    const guest = await newMember(world.db, world.organization.id, 'GUEST');
    await world.db.prisma.project.update({ where: { id: world.project.id }, data: { access: 'OPEN' } });
    expect((await guest.rest('GET', path())).status).toBe(404);
    expect((await world.stranger.rest('GET', path())).status).toBe(404);
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    await joinProject(world.db, world.project, member, 'VIEWER');
    const own = await submit(await member.context(), { Guest: ['mine'] });
    const { body } = await member.rest('GET', path());
    expect(
      body
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line: string) => line.split(',')[0]),
    ).toEqual(own.map(({ id }) => id));
    const elsewhere = path().replace(world.project.id, 'prj_x');
    expect((await world.owner.rest('GET', elsewhere)).status).toBe(404);
  });
});
