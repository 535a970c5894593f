import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { createComments, createTaskComments } from '../../src/domain/comments/comment.ts';
import { addFieldChoices } from '../../src/domain/fields/field-choice.ts';
import { followDocuments, followTasks } from '../../src/domain/follows/follow-change.ts';
import { formLink } from '../../src/domain/forms/form.ts';
import { createGroups } from '../../src/domain/membership/group-change.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { linkMessage } from '../../src/domain/signatures/signature-link.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { completeTask, denyTask } from '../../src/domain/tasks/task-state.ts';
import { newDatabase } from '../support/database.ts';
import { newDocuments } from '../support/storage.ts';
import { joinProject, newMember } from '../support/world.ts';
import { newRestWorld, signatureIn } from './fixture.ts';

/** How a query parameter is sent so that it must change the response. */
export interface QueryCase {
  value: string;
  /** Parameters of both requests, with and without the parameter. */
  base?: string;
  /** The caller; the owner unless set. */
  as?: 'member' | 'nobody';
  body?: unknown;
  /** A plain text body. */
  text?: string;
  /** Path parameters that differ from the fixture. */
  path?: Record<string, string>;
  /** A path below the project, read after a change to see its effect. */
  probe?: string;
}

const CODE = 'sesame77';

async function newSigning({ owner, project, db }: Awaited<ReturnType<typeof newRestWorld>>) {
  const ctx = await owner.context();
  const [coded] = await newDocuments(ctx, project.id, [{ name: 'coded.txt' }]);
  const documentId = coded?.id as string;
  const { sessionId, recipientId, fieldId } = await signatureIn(ctx, documentId, owner.email);
  await updateSignatureSession(ctx, { documentId, useAccessCode: true, accessCode: CODE, begin: true });
  const { signatureRecipient } = db.prisma;
  const linkOf = async (id: string) => {
    const recipient = await signatureRecipient.findUniqueOrThrow({ where: { id } });
    return ctx.storage.signedUrls.linkSecret(linkMessage(recipient));
  };
  const path = { documentSignatureSessionId: sessionId, documentSignatureSessionRecipientId: recipientId };
  return { path, linkOf, signed: [{ DocumentSignatureFormFieldID: fieldId, Value: 'Tove Ahlgren' }] };
}

/** A world where every list has items that each parameter distinguishes. */
export async function newQueryWorld() {
  const world = await newRestWorld(await newDatabase());
  const { db, owner, organization, project, params, document, task } = world;
  const ctx = await owner.context();
  const [otherProjectId] = await createProjects(ctx, {
    organizationId: organization.id,
    projects: [{ name: 'Staff', access: 'RESTRICTED' }],
  });
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  await joinProject(db, project, owner, 'ADMIN');
  const [zeta, alpha] = await newDocuments(ctx, project.id, [{ name: 'zeta.txt' }, { name: 'alpha.txt' }]);
  await newDocuments(ctx, project.id, [{ name: 'document.txt', documentId: document.id, content: 'two' }]);
  await createComments(ctx, { documentId: document.id, texts: ['second'] });
  await createTaskComments(ctx, { taskId: task.id, texts: ['first', 'second'] });
  await createGroups(ctx, { organizationId: organization.id, groups: [{ name: 'Pilots' }] });
  await followDocuments(ctx, { documentIds: [document.id] });
  const tasks = [{ name: 'Completed' }, { name: 'Denied' }];
  const [completed, denied] = await createTasks(ctx, { projectId: project.id, tasks });
  await completeTask(ctx, { taskId: completed?.id as string });
  await denyTask(ctx, { taskId: denied?.id as string });
  await followTasks(ctx, { taskIds: [task.id] });
  const steps = [{ name: 'Check', approverIds: [owner.id] }];
  await createProcesses(ctx, { projectId: project.id, processes: [{ name: 'Archive', steps }] });
  const process = await db.prisma.process.findFirstOrThrow({ where: { projectId: project.id } });
  for (const each of [alpha, zeta])
    await startProcess(ctx, { processId: process.id, itemIds: [each?.id as string] });
  await addFieldChoices(ctx, { fieldId: params.fieldId as string, choices: [{ value: 'blue' }] });
  const form = await db.prisma.formTemplate.findFirstOrThrow({ where: { projectId: project.id } });
  const signing = await newSigning(world);
  return {
    ...world,
    member,
    nobody: await owner.with(''),
    elsewhere: otherProjectId?.id as string,
    formSecret: formLink(ctx, form as never) ?? '',
    signing,
    signerSecret: await signing.linkOf(params.documentSignatureSessionRecipientId as string),
  };
}

const OTHER_TEXT_FIELD = (fieldId: string) =>
  JSON.stringify([
    { FieldID: `IxF_Text[${fieldId}]`, FieldType: 'FieldType_Text', FieldValue: 'no', Operator: 'equals' },
  ]);

/** The cases by operation and parameter; `cursor` has a separate test. */
export function queryCases(
  world: Awaited<ReturnType<typeof newQueryWorld>>,
): Record<string, Record<string, QueryCase>> {
  const {
    params,
    bodies,
    folder,
    member,
    elsewhere: otherProjectId,
    formSecret,
    signerSecret,
    signing,
    uploadId,
  } = world;
  const ascending = { value: 'false' };
  const ofForm = {
    uniqueId: { value: formSecret, as: 'nobody' as const },
    tenantId: { value: otherProjectId },
  };
  const ofMember = JSON.stringify([
    {
      FieldID: 'Meta_text_kw256lc[UserEmail].keyword',
      FieldType: 'FieldType_Text',
      FieldValue: member.email,
      Operator: 'equals',
    },
  ]);
  const search = {
    keyword: { value: 'zeta' },
    contentType: { value: 'Task' },
    metaFieldFilters_json: { value: OTHER_TEXT_FIELD(params.fieldId as string) },
    sortType: { value: 'Name' },
    sortDescending: { value: 'false' },
  };
  const clearing = (probe: string) => ({ clearExisting: { value: 'true', probe } });
  const submission = [
    { FormSubmissionFields: [{ ID: params.formTemplateFieldId, Value: 'red', Values: '' }] },
  ];
  const coded = { path: signing.path, body: signing.signed };
  return {
    listProjects: {
      projectAccessType: { value: 'MembersOnlyAssignments_MemberContentByAssignment' },
      nameFilter: { value: 'sta' },
      getAll: { value: 'true' },
      adminOnly: { value: 'true', as: 'member' },
      includeProjectId: { value: otherProjectId, base: 'nameFilter=zzz' },
    },
    listAddressBookItems: { filter: { value: 'zzz' }, includeTenantMembers: { value: 'false' } },
    addPublicFormChoices: {
      tenantId: { value: otherProjectId },
      type: { value: 'file', text: 'green\n' },
    },
    listGroups: { getAll: { value: 'true' }, sortDescending: { value: 'true' } },
    listProjectMembers: { metaFieldFilters_json: { value: ofMember }, getAll: { value: 'true' } },
    listDocuments: {
      showAll: { value: 'true' },
      documentFolderId: { value: folder.id },
      documentGroupId: { value: 'fsb_01k9czhv7gqyd0yj0yk8wz1hm6' },
      recycleBin: { value: 'true' },
      unsigned: { value: 'false' },
      hasSinglePageImages: { value: 'true' },
      documentOriginType: { value: 'Signature' },
      sortType: { value: 'Name' },
      sortDescending: { value: 'false' },
    },
    listDocumentRevisions: { sortDescending: ascending },
    listDocumentEvents: { sortDescending: ascending },
    listDocumentComments: { sortDescending: ascending },
    listTaskComments: { sortDescending: ascending },
    listProjectComments: { sortDescending: ascending },
    listProcesses: { getAll: { value: 'true' }, sortDescending: { value: 'true' } },
    getDocumentContentPackage: { displayInline: { value: 'true' } },
    countDocuments: { ignoreRecycleBin: { value: 'true' } },
    listDocumentFolders: { parentId: { value: folder.id } },
    listFieldListItems: {
      parentValue: { value: 'none' },
      valueFilter: { value: 'bl' },
      getAllAsFlatFile: { value: 'true' },
    },
    addFieldListItems: { type: { value: 'file', text: 'green\n' } },
    listTasks: {
      activeOnly: { value: 'true' },
      completedOnly: { value: 'true' },
      deniedOnly: { value: 'true' },
      filter: { value: 'mine' },
    },
    getTaskStatistics: {
      activeOnly: { value: 'true' },
      completedOnly: { value: 'true' },
      deniedOnly: { value: 'true' },
    },
    listFields: { getAll: { value: 'true' } },
    listFormTemplates: { pageSize: { value: '1' } },
    listApprovals: {
      processID: { value: 'prc_01k9czhv7gqyd0yj0yk8wz1hm6' },
      sortType: { value: 'ItemName' },
    },
    exportFormSubmissions: { bom: { value: 'false' } },
    openPublicForm: ofForm,
    listPublicFormFields: ofForm,
    listPublicFormChoices: { ...ofForm, parentValue: { value: 'none' }, valueFilter: { value: 'bl' } },
    submitPublicForm: {
      uniqueId: { value: formSecret, as: 'nobody', body: submission },
      tenantId: { value: otherProjectId, body: submission },
    },
    reserveDocumentUpload: { originalFilename: { value: 'a\u200e.txt' } },
    confirmDocumentUploads: { uniqueId: { value: uploadId, body: bodies.confirmDocumentUploads } },
    addSignatureFormFields: clearing(
      `/documents/${params.documentId}/signatureForms/${params.documentSignatureFormId}/fields`,
    ),
    addSignatureFormTemplateFields: clearing(
      `/signatureFormTemplates/${params.signatureFormTemplateId}/fields`,
    ),
    listRecentSignatureForms: {
      nameFilter: { value: 'other' },
      excludingId: { value: params.documentSignatureFormId as string },
    },
    openSigning: {
      uniqueId: { value: signerSecret, as: 'nobody' },
      accessCode: { value: CODE, path: signing.path },
      skipFormFieldPackage: { value: 'true' },
      pageIndex: { value: '1' },
    },
    signDocument: {
      uniqueId: { value: signerSecret, as: 'nobody' },
      accessCode: { value: CODE, ...coded },
      timeZone: { value: 'Mars/Olympus' },
    },
    searchOrganization: search,
    searchProject: { ...search, parentId: { value: folder.id } },
  };
}
