import { approveApprovals } from '../../src/domain/approvals/approval-change.ts';
import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { updateDocument } from '../../src/domain/documents/document-change.ts';
import { createSearchTemplate } from '../../src/domain/search/search-template.ts';
import { addSignatureFields } from '../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../src/domain/signatures/signature-form-change.ts';
import { signingUrl } from '../../src/domain/signatures/signature-link.ts';
import { findSignatureRecipients } from '../../src/domain/signatures/signature-session.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { completeTask, denyTask } from '../../src/domain/tasks/task-state.ts';
import { DAY, fromNow } from '../../src/lib/time.ts';
import type { SeededForm } from './make-form.ts';
import { makeSealed } from './make-seal.ts';
import { actAs, type SeedSite } from './site.ts';

/** A project with the ids of its documents by name. */
interface SeededProject {
  organizationId: string;
  projectId: string;
  documents: Map<string, string>;
}

/** URLs of pages that need no account. */
interface Links {
  signingUrl: string | null;
  formUrl: string | null;
}

/** Creates tasks, approvals, signatures and saved searches in the first project, which has a form. */
export async function makeWork(site: SeedSite, project: SeededProject, form: SeededForm): Promise<Links> {
  // Sealing runs in a process of its own meanwhile.
  const [links] = await Promise.all([
    makeOpenWork(site, project, form),
    makeSealed(site, idOf(project, 'Certificate of payment 2.pdf')),
  ]);
  return links;
}

async function makeOpenWork(site: SeedSite, project: SeededProject, form: SeededForm): Promise<Links> {
  await makeTasks(site, project);
  await makeApprovals(site, project);
  await updateDocument(await actAs(site, 'owner'), {
    documentId: idOf(project, 'Building contract.pdf'),
    fieldValues: [{ fieldId: form.contractSum, values: ['4812600.00'] }],
  });
  const signingUrl = await makeSignatures(site, project);
  await makeSearches(site, project);
  return { signingUrl, formUrl: form.formUrl };
}

const idOf = ({ documents }: SeededProject, name: string): string => {
  const id = documents.get(name);
  if (!id) throw new Error(`The demo workspace has no document ${name}.`);
  return id;
};

async function makeTasks(site: SeedSite, project: SeededProject): Promise<void> {
  const { people } = site;
  const ctx = await actAs(site, 'ines');
  const tasks = await createTasks(ctx, {
    projectId: project.projectId,
    tasks: [
      {
        name: 'Check the piling against the ground report',
        assigneeEmail: people.owner.email,
        dueAt: fromNow(3 * DAY),
        duration: { amount: 1, unit: 'DAY' },
        documentIds: [idOf(project, 'Piling.pdf'), idOf(project, 'Ground investigation TG-2581.pdf')],
      },
      {
        name: 'Answer the Board about the lamps',
        assigneeEmail: people.owner.email,
        dueAt: fromNow(-2 * DAY),
        documentIds: [idOf(project, 'Lighting study.pdf')],
      },
      {
        name: 'Order granite samples',
        assigneeEmail: people.member.email,
        dueAt: fromNow(20 * DAY),
        priority: 2,
        duration: { amount: 2, unit: 'HOUR' },
        tags: ['granite'],
        stakeholderIds: [people.owner.id],
      },
      { name: 'Bring the programme up to date', documentIds: [idOf(project, 'Programme.xlsx')] },
      { name: 'Issue certificate 3', assigneeEmail: people.owner.email },
      { name: 'Move the tender forward by a month' },
    ],
  });
  await completeTask(ctx, { taskId: tasks[4]?.id as string, result: 'Issued on Friday.' });
  await denyTask(ctx, { taskId: tasks[5]?.id as string, result: 'The Board keeps to the date.' });
}

async function makeApprovals(site: SeedSite, project: SeededProject): Promise<void> {
  const { people } = site;
  const { projectId } = project;
  const ctx = await actAs(site, 'ines');
  const [process] = await createProcesses(ctx, {
    projectId,
    processes: [
      {
        name: 'Release for construction',
        steps: [
          { name: 'Technical check', approverIds: [people.owner.id, people.samuel.id] },
          { name: 'Release', rule: 'ALL', approverIds: [people.owner.id, people.ines.id] },
        ],
      },
    ],
  });
  const processId = process?.id as string;
  const [drawings, specification] = [
    idOf(project, 'General drawings 214-100 to 214-305.pdf'),
    idOf(project, 'Specification of works.pdf'),
  ];
  await startProcess(ctx, { processId, itemIds: [drawings, specification, idOf(project, 'Piling.pdf')] });
  await approveApprovals(await actAs(site, 'samuel'), {
    ids: [drawings],
    comment: 'Levels checked on site.',
  });
  await approveApprovals(await actAs(site, 'owner'), { ids: [drawings] });
  await approveApprovals(ctx, { ids: [drawings] });
  await approveApprovals(await actAs(site, 'samuel'), { ids: [specification] });
}

/** Requests signatures of the contract, from the architect, then the client. Returns the architect's signing URL. */
async function makeSignatures(site: SeedSite, project: SeededProject): Promise<string | null> {
  const ctx = await actAs(site, 'owner');
  const documentId = idOf(project, 'Building contract.pdf');
  await updateSignatureSession(ctx, {
    documentId,
    recipients: [
      { rank: 1, email: site.people.owner.email, fullName: site.people.owner.name },
      { rank: 2, email: site.people.client.email, fullName: site.people.client.name },
    ],
  });
  const { id: formId } = await ensureSignatureForm(ctx, { documentId });
  await addSignatureFields(ctx, {
    formId,
    fields: [1, 2].flatMap((recipientRank) => [
      { ...columnOf(recipientRank), type: 'SIGNATURE' as const, y: 25, width: 32, height: 5.5 },
      { ...columnOf(recipientRank), type: 'DATE' as const, y: 32, width: 18, height: 2.5 },
    ]),
  });
  const { id: sessionId } = await updateSignatureSession(ctx, { documentId, begin: true });
  const first = await ctx.db.prisma.signatureRecipient.findFirstOrThrow({ where: { sessionId, rank: 1 } });
  const [architect] = await findSignatureRecipients(ctx, [first.id]);
  return architect ? signingUrl(ctx, architect) : null;
}

/** The position below the table of signatures on the third page. */
const columnOf = (recipientRank: number) => ({
  pageIndex: 2,
  x: 11 + 39 * (recipientRank - 1),
  recipientRank,
});

async function makeSearches(site: SeedSite, { organizationId }: SeededProject): Promise<void> {
  const ctx = await actAs(site, 'owner');
  await createSearchTemplate(ctx, { organizationId, name: 'All about granite', query: 'granite' });
  await createSearchTemplate(ctx, { organizationId, name: 'Minutes', query: 'minutes' });
}
