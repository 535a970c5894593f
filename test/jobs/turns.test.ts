import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { shareFormTemplates } from '../../src/domain/forms/form-share.ts';
import { submitForm } from '../../src/domain/forms/form-submit.ts';
import { doNext } from '../../src/jobs/work.ts';
import { answers, newFormWorld } from '../support/forms.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { newSealingDesk } from '../support/sealing.ts';

beforeEach(dropJobs);

/** A submission of one organization, whose document is not made yet; and how to find that. */
async function newSubmission() {
  const { db, ctx, form } = await newFormWorld({ name: 'Guest', type: 'TEXT' });
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const submissions = [{ answers: answers(form.ids, { Guest: ['Ann'] }) }];
  const [submission] = await submitForm(ctx, { formTemplateId: form.id, submissions });
  const id = submission?.id as string;
  const where = { organizationId: submission?.organizationId as string };
  return {
    db,
    id,
    row: () => db.prisma.formSubmission.findUniqueOrThrow({ where: { id } }),
    filed: () => db.prisma.formSubmission.count({ where: { ...where, documentId: { not: null } } }),
    /** So many more like it, older ones. */
    repeat: (count: number) =>
      db.query(sql`INSERT INTO form_submissions (organization_id, id, project_id, form_template_id, group_id, filing_next_at)
        SELECT organization_id, id || '_' || n, project_id, form_template_id, group_id, now() - interval '1 hour'
        FROM form_submissions, generate_series(1, ${count}::int) AS n WHERE id = ${id}`),
  };
}

describe('the documents of forms', () => {
  it('wait for one of each other organization, however many of them wait', async () => {
    const [first, between, last] = [await newSubmission(), await newSubmission(), await newSubmission()];
    await first.repeat(5_000);
    await last.repeat(5_000);
    const ctx = await jobContext();
    for (let times = 0; times < 3; times++) await doNext(ctx, 'fileForm');
    expect([await first.filed(), await between.filed(), await last.filed()]).toEqual([1, 1, 1]);
    for (let times = 0; times < 4; times++) await doNext(ctx, 'fileForm');
    expect([await first.filed(), await between.filed(), await last.filed()]).toEqual([3, 1, 3]);
  });

  it('are created once when several processes look for them at the same time', async () => {
    const { repeat, filed, db, row } = await newSubmission();
    await repeat(3);
    const ctx = await jobContext();
    await Promise.all(Array.from({ length: 8 }, () => doNext(ctx, 'fileForm')));
    while (await doNext(ctx, 'fileForm'));
    expect(await filed()).toBe(4);
    const { organizationId } = await row();
    expect(await db.prisma.document.count({ where: { organizationId } })).toBe(4);
  });

  it('are retried after a failure, a limited number of times', async () => {
    const { db, id, row } = await newSubmission();
    const ctx = await jobContext();
    const store = { ...ctx.storage.store, write: () => Promise.reject(new Error('no space')) };
    const failing = { ...ctx, storage: { ...ctx.storage, store } };
    await expect(doNext(failing, 'fileForm')).rejects.toThrow('no space');
    expect(await doNext(failing, 'fileForm')).toBe(false);
    const { filingAttempts, filingNextAt } = await row();
    expect([filingAttempts, (filingNextAt as Date).getTime() > Date.now()]).toEqual([1, true]);
    const dead = { filingAttempts: 14, filingNextAt: new Date(0) };
    await db.prisma.formSubmission.update({ where: { id }, data: dead });
    await expect(doNext(failing, 'fileForm')).rejects.toThrow('no space');
    expect(await row()).toMatchObject({ filingAttempts: 15, filingNextAt: null, documentId: null });
  });

  it('are retried when the process that creates one dies', async () => {
    const { db, id, filed } = await newSubmission();
    const ctx = await jobContext();
    await new Promise<void>((reached) => {
      const write = () => {
        reached();
        return new Promise<never>(() => {});
      };
      const store = { ...ctx.storage.store, write };
      void doNext({ ...ctx, storage: { ...ctx.storage, store } }, 'fileForm');
    });
    expect(await doNext(ctx, 'fileForm')).toBe(false);
    await db.prisma.formSubmission.update({ where: { id }, data: { filingNextAt: new Date(0) } });
    expect(await doNext(ctx, 'fileForm')).toBe(true);
    expect(await filed()).toBe(1);
  });
});

describe('seals', () => {
  it('wait for one of each other organization, however many of them wait', async () => {
    const [first, second] = [await newSealingDesk(), await newSealingDesk()];
    const many = [];
    for (let count = 0; count < 4; count++) many.push(await first.signed());
    const one = await second.signed();
    // The preparation of the second leaves nothing due of the first.
    await first.db.prisma.signatureSession.updateMany({
      where: { id: { in: many.map(({ sessionId }) => sessionId) } },
      data: { sealingNextAt: new Date(0) },
    });
    const ctx = await jobContext();
    expect([await doNext(ctx, 'seal'), await doNext(ctx, 'seal')]).toEqual([true, true]);
    expect(await second.sessionOf(one.sessionId)).toMatchObject({ sealing: 'SEALED' });
    const states = await Promise.all(many.map(({ sessionId }) => first.sessionOf(sessionId)));
    expect(states.filter(({ sealing }) => sealing === 'SEALED')).toHaveLength(1);
  });
});

describe('a submission of a deleted project', () => {
  it('is not tried', async () => {
    const { db, row } = await newSubmission();
    const { projectId } = await row();
    await db.prisma.project.update({ where: { id: projectId }, data: { purgeMarkedAt: new Date() } });
    expect(await doNext(await jobContext(), 'fileForm')).toBe(false);
    expect(await row()).toMatchObject({ filingAttempts: 0, documentId: null });
  });
});
