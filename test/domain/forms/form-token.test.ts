import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { findForms, formLink } from '../../../src/domain/forms/form.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitFormOnce } from '../../../src/domain/forms/form-submit.ts';
import { linkViewer } from '../../../src/domain/kernel/viewer.ts';
import { answers, newFormWorld } from '../../support/forms.ts';

it('a token makes one submission and one event of parallel requests, and none gets another answer', async () => {
  const { db, ctx, form } = await newFormWorld({ name: 'Guest', type: 'TEXT' });
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const [shared] = await findForms(ctx, [form.id]);
  const through = { ...ctx, viewer: linkViewer((shared && formLink(ctx, shared)) ?? '') };
  const token = randomUUID();
  const send = (guest: string) =>
    submitFormOnce(through, {
      token,
      formTemplateId: form.id,
      answers: answers(form.ids, { Guest: [guest] }),
    });
  const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => send(`guest ${index}`)));
  expect(new Set(sent.map(({ submission }) => submission.id)).size).toBe(1);
  expect(sent.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  const where = { subjectId: form.id, kind: 'form.submitted' };
  expect(await db.prisma.event.count({ where })).toBe(1);
  const stored = await db.prisma.formSubmission.findMany({
    where: { formTemplateId: form.id },
    include: { values: true },
  });
  const first = sent.findIndex(({ isRepeat }) => !isRepeat);
  expect(stored.map(({ values }) => values.map(({ text }) => text))).toEqual([[`guest ${first}`]]);
});
