import { beforeEach, describe, expect, it } from 'vitest';
import { createFormTemplates } from '../../../src/domain/forms/form-change.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { newId } from '../../../src/lib/id.ts';
import { newApp } from '../../support/browser.ts';
import { counted } from '../../support/database.ts';
import { answers, newFormWorld } from '../../support/forms.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { joinProject, newMember } from '../../support/world.ts';
import { HOSTILE, visitorsOf } from './scene.ts';

beforeEach(() => dropJobs());

/** A form with a public link, and visitors. */
async function scene() {
  const world = await newFormWorld(
    { name: 'Code', type: 'TEXT' },
    { name: 'Pin', type: 'TEXT', sensitive: true },
  );
  const { db, ctx, form, owner, organization, project, stranger } = world;
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const visitorOf = visitorsOf(db, await newApp(db));
  const viewer = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, viewer, 'VIEWER');
  const as = {
    owner: await visitorOf(owner),
    viewer: await visitorOf(viewer),
    stranger: await visitorOf(stranger),
  };
  const submit = async (code: string): Promise<string> => {
    const given = answers(form.ids, { Code: [code], Pin: ['1234'] });
    const [submission] = await submitForm(ctx, {
      formTemplateId: form.id,
      submissions: [{ answers: given }],
    });
    return submission?.id as string;
  };
  /** As if filing had failed for good. */
  const fail = (id: string) =>
    db.prisma.formSubmission.update({
      where: { id },
      data: {
        ...{ filingNextAt: null, filingFailedAt: new Date(), filingAttempts: 1 },
        ...{ filingErrorCode: 'INTERNAL', filingError: 'The <b>store</b> is full.' },
      },
    });
  const list = `/console/${organization.id}/projects/${project.id}/forms`;
  return { ...world, as, viewer, submit, fail, list, path: `${list}/${form.id}` };
}

describe('the forms of a project in the console', () => {
  it('are listed with who may submit them', async () => {
    const { as, ctx, project, list, path } = await scene();
    await createFormTemplates(ctx, { projectId: project.id, formTemplates: [{ name: HOSTILE }] });
    const { text } = await as.owner.open(list);
    expect(text).toContain(`href="${path}"`);
    for (const each of ['Public link', 'Not shared']) expect(text).toContain(each);
    expect(text).not.toContain('<script>alert');
  });

  it('take as many statements for 20 as for 2', async () => {
    const { as, ctx, project, list } = await scene();
    const add = (count: number) =>
      createFormTemplates(ctx, {
        projectId: project.id,
        formTemplates: Array.from({ length: count }, (_, index) => ({ name: `Form ${index}` })),
      });
    const count = async () => (await counted(() => as.owner.open(list))).statements.length;
    await add(1);
    await count();
    const few = await count();
    await add(18);
    expect(await count()).toBe(few);
  });
});

describe('the page of a form in the console', () => {
  it('leads to its public page', async () => {
    const { as, path } = await scene();
    const { text } = await as.owner.open(path);
    const href = /href="([^"]+)">Open the public form/.exec(text)?.[1] ?? '';
    expect((await as.stranger.open(new URL(href).pathname)).status).toBe(200);
  });

  it('has each submission with its answers and its document', async () => {
    const { as, submit, path } = await scene();
    await submit('Seven <i>');
    expect((await as.owner.open(path)).text).toContain('Being filed');
    await runJobs();
    const { text } = await as.owner.open(path);
    expect(text).toContain('Seven &lt;i&gt;');
    expect(text).toMatch(/<summary>Show the value<\/summary><span class="text">1234/);
    expect(text).toMatch(/\/documents\/doc_\w+"/);
  });

  it('says why a submission was not filed, and files it again', async () => {
    const { as, db, submit, fail, path } = await scene();
    const [broken, other] = [await submit('One'), await submit('Two')];
    await fail(broken);
    const { text } = await as.owner.open(`${path}?filing=FAILED`);
    expect(text).toContain('The &lt;b&gt;store&lt;/b&gt; is full.');
    expect([text.includes('One'), text.includes('Two'), text.includes(other)]).toEqual([true, false, false]);
    const answer = await as.owner.submit(`${path}/filings`, { submission: broken });
    expect(answer.headers.get('location')).toBe(`${path}?done=retried`);
    await runJobs();
    const where = { id: broken };
    expect(await db.prisma.formSubmission.findUnique({ where })).toMatchObject({ filingFailedAt: null });
    expect((await as.owner.open(`${path}?filing=FAILED`)).text).toContain('There is none.');
  });

  it('takes as many statements for 20 submissions as for 2', async () => {
    const { as, submit, path } = await scene();
    const add = async (count: number) => {
      for (let more = 0; more < count; more++) await submit(`Code ${more}`);
    };
    const count = async () => (await counted(() => as.owner.open(path))).statements.length;
    await add(2);
    await count();
    const few = await count();
    await add(18);
    expect(await count()).toBe(few);
  });

  it('shows no submission of others to a viewer, who files none again', async () => {
    const { as, db, viewer, organization, form, owner, submit, fail, path } = await scene();
    const id = await submit('Secret');
    await fail(id);
    const share = { organizationId: organization.id, formTemplateId: form.id, createdById: owner.id };
    await db.prisma.formShare.create({ data: { ...share, email: viewer.email } });
    const { status, text } = await as.viewer.open(path);
    expect([status, text.includes('Secret'), text.includes('You see those that you sent.')]).toEqual([
      200,
      false,
      true,
    ]);
    const answer = await as.viewer.submit(`${path}/filings`, { submission: id });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await db.prisma.formSubmission.findUnique({ where: { id } })).toMatchObject({
      filingErrorCode: 'INTERNAL',
    });
  });

  it('is unknown to a stranger, and below another project or organization', async () => {
    const { as, organization, project, form, list, path } = await scene();
    for (const each of [list, path]) expect((await as.stranger.open(each)).status).toBe(404);
    expect((await as.stranger.submit(`${path}/filings`, { submission: 'x' })).status).toBe(404);
    for (const each of [
      `/console/${organization.id}/projects/${newId('Project')}/forms/${form.id}`,
      `/console/${newId('Organization')}/projects/${project.id}/forms/${form.id}`,
      `${list}/${newId('FormTemplate')}`,
    ])
      expect((await as.owner.open(each)).status).toBe(404);
  });
});
