import { beforeEach, describe, expect, it } from 'vitest';
import { storedPdf } from '../../../src/domain/forms/filing-pdf.ts';
import { fileFilledForm, readFilledForm } from '../../../src/domain/forms/filled-form.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { answers, newFormWorld } from '../../support/forms.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';

beforeEach(dropJobs);

/** A submission that is not filed yet, and what two attempts take. */
async function setUp() {
  const { db, ctx, form, organization } = await newFormWorld({ name: 'Code', type: 'TEXT' });
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const [submission] = await submitForm(ctx, {
    formTemplateId: form.id,
    submissions: [{ answers: answers(form.ids, { Code: ['seven'] }) }],
  });
  const filled = await readFilledForm(db, submission?.id as string);
  if (!filled) throw new Error('there is nothing to file');
  const services = await jobContext();
  const where = { organizationId: organization.id };
  /** The number of documents, and of objects in the store. */
  const counts = async () => {
    const uploads = await db.prisma.upload.findMany({ where });
    const stats = await Promise.all(uploads.map(({ blobId }) => services.storage.store.stat(blobId)));
    return [await db.prisma.document.count({ where }), stats.filter((each) => each !== undefined).length];
  };
  return { db, filled, services, counts, draw: () => formPdf(filled) };
}

describe('an attempt to file a submission leaves it to another', () => {
  it.each(['append', 'finish'] as const)('that takes over before the %s of its PDF', async (step) => {
    const { filled, services, counts, draw } = await setUp();
    const { store } = services.storage;
    const call = store[step] as (...args: unknown[]) => Promise<never>;
    const slow = async (...args: unknown[]) => {
      await fileFilledForm(services, filled, draw);
      return call(...args);
    };
    const storage = { ...services.storage, store: { ...store, [step]: slow } };
    await fileFilledForm({ ...services, storage }, filled, draw);
    expect(await counts()).toEqual([1, 1]);
  });

  it('that replaces its PDF, which would soon expire, before it is filed', async () => {
    const { db, filled, services, counts, draw } = await setUp();
    const first = await storedPdf(services, filled, draw);
    const transact: typeof db.transact = async (work) => {
      await db.prisma.upload.update({ where: { id: first?.upload.id }, data: { expiresAt: new Date() } });
      await storedPdf(services, filled, draw);
      return db.transact(work);
    };
    await fileFilledForm({ ...services, db: { ...db, transact } }, filled, draw);
    expect(await counts()).toEqual([0, 1]);
    await fileFilledForm(services, filled, draw);
    expect(await counts()).toEqual([1, 1]);
  });
});
