import { beforeEach, describe, expect, it } from 'vitest';
import { storedPdf } from '../../../src/domain/forms/filing-pdf.ts';
import { MAX_ATTEMPTS } from '../../../src/domain/forms/filing-state.ts';
import { fileFilledForm, readFilledForm } from '../../../src/domain/forms/filled-form.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { StoreError } from '../../../src/files/store/store.ts';
import { doNext } from '../../../src/jobs/work.ts';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { answers, newFormWorld } from '../../support/forms.ts';
import { dropJobs, jobContext, runJobs } from '../../support/jobs.ts';
import { joinProject, newMember, type Person } from '../../support/world.ts';

beforeEach(dropJobs);

const LOOK = `query ($id: ID!) { node(id: $id) { ... on FormSubmission {
  document { id } filing { state attempts errorCode lastError failedAt nextAttemptAt } } } }`;
const RETRY = `mutation ($ids: [ID!]!) { retryFormFilings(input: { submissionIds: $ids }) {
  submissions { id filing { state attempts errorCode } } } }`;
const LIST = `query ($id: ID!, $filing: FilingState) { formTemplate(id: $id) {
  submissions(filing: $filing) { totalCount nodes { id } } } }`;

/** A submission of a new form, which is not filed yet. */
async function setUp() {
  const world = await newFormWorld({ name: 'Code', type: 'TEXT' });
  const { db, ctx, form, owner, organization } = world;
  await shareFormTemplates(ctx, { formTemplateIds: [form.id], isPublic: true });
  const submit = async () => {
    const [submission] = await submitForm(ctx, {
      formTemplateId: form.id,
      submissions: [{ answers: answers(form.ids, { Code: ['seven'] }) }],
    });
    return submission?.id as string;
  };
  const id = await submit();
  const look = async () => (await owner.graph(LOOK, { id })).data.node;
  const setType = (type: 'TEXT' | 'NUMBER') =>
    db.prisma.field.updateMany({ where: { id: { in: form.fieldIds } }, data: { type } });
  const retry = (person: Person = owner) => person.graph(RETRY, { ids: [id] });
  const events = (kind: string) =>
    db.prisma.event.findMany({ where: { subjectId: form.id, kind }, orderBy: { sequence: 'asc' } });
  const mails = () => db.prisma.mail.findMany({ where: { subjectId: form.id, kind: 'FORM_NOT_FILED' } });
  /** The objects in the store for the uploads of this organization. */
  const stored = async () => {
    const { storage } = await jobContext();
    const uploads = await db.prisma.upload.findMany({ where: { organizationId: organization.id } });
    const stats = await Promise.all(uploads.map(({ blobId }) => storage.store.stat(blobId)));
    return stats.filter((each) => each !== undefined).length;
  };
  /** One attempt, with this failure of the store. */
  const attemptWith = async (error: Error) => {
    const job = await jobContext();
    const store = { ...job.storage.store, write: () => Promise.reject(error) };
    await db.prisma.formSubmission.update({ where: { id }, data: { filingNextAt: new Date(0) } });
    return doNext({ ...job, storage: { ...job.storage, store } }, 'fileForm');
  };
  return { ...world, id, submit, look, setType, retry, events, mails, stored, attemptWith };
}

describe('a submission', () => {
  it('is PENDING until its document exists, and then FILED', async () => {
    const { look } = await setUp();
    expect(await look()).toMatchObject({ document: null, filing: { state: 'PENDING', attempts: 0 } });
    await runJobs();
    const nothing = { errorCode: null, lastError: null, failedAt: null, nextAttemptAt: null };
    expect((await look()).filing).toEqual({ state: 'FILED', attempts: 1, ...nothing });
  });

  it('with an answer that does not fit its field any more FAILS at once, with an event, a mail and nothing left stored', async () => {
    const { id, owner, look, setType, events, mails, stored } = await setUp();
    await setType('NUMBER');
    await runJobs();
    expect((await look()).filing).toMatchObject({
      ...{ state: 'FAILED', attempts: 1, errorCode: 'INVALID_ANSWER', nextAttemptAt: null },
      lastError: 'Code: must be a number such as 1234.5',
      failedAt: expect.any(String),
    });
    const [event] = await events('form.filingFailed');
    expect(event?.data).toMatchObject({ submissionId: id, attempts: 1, code: 'INVALID_ANSWER' });
    expect((await mails()).map(({ toEmail, state }) => [toEmail, state])).toEqual([[owner.email, 'OUTBOX']]);
    expect(await stored()).toBe(0);
  });

  it.each(['22P02', '22021'])('that the database refuses with %s FAILS at once', async (code) => {
    const { look, attemptWith } = await setUp();
    expect(await attemptWith(Object.assign(new Error('invalid input'), { code }))).toBe(true);
    expect((await look()).filing).toMatchObject({ state: 'FAILED', errorCode: 'INVALID_ANSWER' });
  });

  it('is retried after a failure of the store, and leaves nothing of it', async () => {
    const { look, attemptWith, stored, db, id, events } = await setUp();
    await expect(attemptWith(new StoreError('full', 'blb_x'))).rejects.toThrow('full');
    expect((await look()).filing).toMatchObject({
      ...{ state: 'PENDING', attempts: 1, errorCode: 'STORE_UNAVAILABLE', failedAt: null },
      nextAttemptAt: expect.any(String),
    });
    expect(await events('form.filingFailed')).toEqual([]);
    await db.prisma.formSubmission.update({ where: { id }, data: { filingNextAt: new Date(0) } });
    await runJobs();
    expect((await look()).filing).toMatchObject({ state: 'FILED', errorCode: null });
    expect(await stored()).toBe(1);
  });

  it('FAILS after its last attempt, and mails once a day for each form', async () => {
    const { look, attemptWith, db, id, submit, mails } = await setUp();
    await db.prisma.formSubmission.update({ where: { id }, data: { filingAttempts: MAX_ATTEMPTS - 1 } });
    await expect(attemptWith(new Error('broken'))).rejects.toThrow('broken');
    expect((await look()).filing).toMatchObject({ state: 'FAILED', errorCode: 'INTERNAL' });
    const other = await submit();
    await db.prisma.formSubmission.update({ where: { id: other }, data: { filingAttempts: MAX_ATTEMPTS } });
    await runJobs();
    const row = await db.prisma.formSubmission.findUniqueOrThrow({ where: { id: other } });
    expect(row.filingError).toContain('Every attempt ended before it could say why');
    expect(await mails()).toHaveLength(1);
  });

  it('is drawn once: the next attempt files the PDF that an earlier one stored', async () => {
    const { db, id, stored } = await setUp();
    const services = await jobContext();
    const filled = await readFilledForm(db, id);
    if (!filled) throw new Error('there is nothing to file');
    let drawn = 0;
    const draw = () => {
      drawn += 1;
      return formPdf(filled);
    };
    const first = await storedPdf(services, filled, draw);
    await fileFilledForm(services, filled, draw);
    expect(drawn).toBe(1);
    const { documentId } = await db.prisma.formSubmission.findUniqueOrThrow({ where: { id } });
    const { blobId } = await db.prisma.revision.findFirstOrThrow({ where: { documentId: documentId ?? '' } });
    expect([blobId, await stored()]).toEqual([first?.upload.blobId, 1]);
  });

  it('that an attempt left half stored is drawn again, and the rest of that is removed', async () => {
    const { db, id, look, stored } = await setUp();
    const services = await jobContext();
    const filled = await readFilledForm(db, id);
    if (!filled) throw new Error('there is nothing to file');
    const { signal, reached } = reachable();
    const { store } = services.storage;
    const write: typeof store.write = async (key, bytes) => {
      await store.append(key, 0, bytes);
      return signal();
    };
    const dying = { ...services, storage: { ...services.storage, store: { ...store, write } } };
    void storedPdf(dying, filled, () => formPdf(filled));
    await reached;
    expect(await stored()).toBe(1);
    await runJobs();
    expect((await look()).filing.state).toBe('FILED');
    expect(await stored()).toBe(1);
  });

  it('of a deleted project waits, and is filed once the project is restored', async () => {
    const { db, project, look } = await setUp();
    const mark = (purgeMarkedAt: Date | null) =>
      db.prisma.project.update({ where: { id: project.id }, data: { purgeMarkedAt } });
    await mark(new Date());
    await runJobs();
    await mark(null);
    expect((await look()).filing).toMatchObject({ state: 'PENDING', attempts: 0 });
    await runJobs();
    expect((await look()).filing.state).toBe('FILED');
  });
});

/** A call that never ends, and a promise for its begin. */
function reachable() {
  let begun = () => {};
  const reached = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const signal = () => {
    begun();
    return new Promise<never>(() => {});
  };
  return { signal, reached };
}

describe('retryFormFilings', () => {
  it('files what failed, once its cause is mended, however often it is called', async () => {
    const { id, look, setType, retry, events } = await setUp();
    await setType('NUMBER');
    await runJobs();
    await setType('TEXT');
    const pending = [{ id, filing: { state: 'PENDING', attempts: 0, errorCode: null } }];
    expect((await retry()).data.retryFormFilings.submissions).toEqual(pending);
    expect((await retry()).data.retryFormFilings.submissions).toEqual(pending);
    await runJobs();
    expect((await look()).filing.state).toBe('FILED');
    expect((await retry()).data.retryFormFilings.submissions).toMatchObject([{ filing: { state: 'FILED' } }]);
    expect(await events('form.filingRetried')).toHaveLength(1);
  });

  it('is for editors of the project', async () => {
    const { db, organization, project, setType, retry, look, stranger } = await setUp();
    await setType('NUMBER');
    await runJobs();
    const viewer = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, viewer, 'VIEWER');
    expect((await retry(viewer)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await retry(stranger)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await look()).filing.state).toBe('FAILED');
    const editor = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, editor, 'EDITOR');
    expect((await retry(editor)).errors).toBeUndefined();
  });

  it('is refused to who submitted it without being an editor', async () => {
    const { db, organization, project, form, setType, events } = await setUp();
    const member = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, member, 'VIEWER');
    const [own] = await submitForm(await member.context(), {
      formTemplateId: form.id,
      submissions: [{ answers: answers(form.ids, { Code: ['x'] }) }],
    });
    await setType('NUMBER');
    await runJobs();
    const { errors } = await member.graph(RETRY, { ids: [own?.id] });
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await events('form.filingRetried')).toEqual([]);
  });
});

it('submissions are listed by their state of filing', async () => {
  const { form, owner, id, setType, submit } = await setUp();
  await setType('NUMBER');
  await runJobs();
  await setType('TEXT');
  const filed = await submit();
  await runJobs();
  const pending = await submit();
  const list = async (filing: string | null) => {
    const { submissions } = (await owner.graph(LIST, { id: form.id, filing })).data.formTemplate;
    return [submissions.totalCount, submissions.nodes.map((each: { id: string }) => each.id)];
  };
  expect(await list('FAILED')).toEqual([1, [id]]);
  expect(await list('FILED')).toEqual([1, [filed]]);
  expect(await list('PENDING')).toEqual([1, [pending]]);
  expect((await list(null))[0]).toBe(3);
});
