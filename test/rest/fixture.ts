import type { Database } from '../../src/db/database.ts';
import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import { createFields } from '../../src/domain/fields/field-change.ts';
import { addFieldChoices } from '../../src/domain/fields/field-choice.ts';
import { createFolders } from '../../src/domain/folders/folder-create.ts';
import type { FormTemplate } from '../../src/domain/forms/form.ts';
import { createFormTemplates } from '../../src/domain/forms/form-change.ts';
import { createFormFields } from '../../src/domain/forms/form-field-change.ts';
import { shareFormTemplates } from '../../src/domain/forms/form-share.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { createGroups } from '../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../src/domain/membership/group-member-change.ts';
import { createApiKeys } from '../../src/domain/oauth/api-key.ts';
import { sealSession } from '../../src/domain/sealing/sealing.ts';
import { createSearchTemplate } from '../../src/domain/search/search-template.ts';
import { addSignatureFields } from '../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../src/domain/signatures/signature-form-change.ts';
import { updateSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import {
  addTemplateFields,
  createSignatureTemplates,
} from '../../src/domain/signatures/signature-template-change.ts';
import { signDocument } from '../../src/domain/signing/sign.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { openAll } from '../support/opened.ts';
import { newDocuments, upload } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

/** A shared form with one field. */
async function newForm(ctx: Context, projectId: string, fieldId: string) {
  const [template] = await createFormTemplates(ctx, { projectId, formTemplates: [{ name: 'Form' }] });
  const { id } = template as FormTemplate;
  const [formField] = await createFormFields(ctx, { formTemplateId: id, fields: [{ fieldId }] });
  await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
  return { id, fieldId: formField?.id as string };
}

const FIELD = { type: 'SIGNATURE', pageIndex: 0, x: 12.5, y: 40.25 } as const;

/** A draft of a signature session for one signer with one field. */
export async function signatureIn(ctx: Context, documentId: string, email: string) {
  const { id: sessionId } = await updateSignatureSession(ctx, {
    documentId,
    recipients: [{ email, rank: 1 }],
  });
  const { id: formId } = await ensureSignatureForm(ctx, { documentId });
  const [field] = await addSignatureFields(ctx, { formId, fields: [{ ...FIELD, recipientRank: 1 }] });
  return { sessionId, formId, fieldId: field?.id as string, recipientId: field?.recipientId as string };
}

/** A world with an object for every path parameter of REST v1, and a valid body for each writing route. */
export async function newRestWorld(on?: Database) {
  const world = await newWorld(on);
  const { owner, organization, project } = world;
  const ctx = await owner.context();
  const [folder] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Folder', hexColor: '#123456', assigneeEmails: [owner.email] }],
  });
  const [empty] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Empty' }] });
  const [document, other, recycled] = await newDocuments(ctx, project.id, [
    { name: 'document.txt', folderId: folder?.id, tags: ['tag'] },
    { name: 'other.txt' },
    { name: 'recycled.txt' },
  ]);
  if (!folder || !document || !other || !recycled) throw new Error('the fixture is not whole');
  await createComments(ctx, { documentId: document.id, texts: ['said'] });
  const [field] = await createFields(ctx, {
    projectId: project.id,
    fields: [{ name: 'Colour', type: 'TEXT', choices: true }],
  });
  await addFieldChoices(ctx, { fieldId: field?.id as string, choices: [{ value: 'red' }] });
  const [task] = await createTasks(ctx, {
    projectId: project.id,
    tasks: [{ name: 'Task', assigneeEmail: owner.email, documentIds: [document.id, other.id] }],
  });
  if (!task) throw new Error('the fixture is not whole');
  const [process] = await createProcesses(ctx, {
    projectId: project.id,
    processes: [{ name: 'Release', steps: [{ name: 'Check', approverIds: [owner.id] }] }],
  });
  await startProcess(ctx, { processId: process?.id as string, itemIds: [document.id] });
  const form = await newForm(ctx, project.id, field?.id as string);
  const drafted = await signatureIn(ctx, document.id, owner.email);
  const signing = await signatureIn(ctx, other.id, owner.email);
  await updateSignatureSession(ctx, { documentId: other.id, begin: true });
  const [template] = await createSignatureTemplates(ctx, {
    projectId: project.id,
    templates: [{ name: 'Two signers' }],
  });
  await addTemplateFields(ctx, { templateId: template?.id as string, fields: [FIELD] });
  const [spare] = (await createApiKeys(ctx, { keys: [{ name: 'spare' }] })).map(({ key }) => key);
  await createSearchTemplate(ctx, { organizationId: organization.id, name: 'Saved', query: 'document' });
  const uploadId = await upload(ctx, project.id, 'uploaded');
  const params: Record<string, string> = {
    organizationId: organization.id,
    projectId: project.id,
    documentId: document.id,
    documentFolderId: folder.id,
    fieldId: field?.id as string,
    taskId: task.id,
    formTemplateId: form.id,
    formTemplateFieldId: form.fieldId,
    documentSignatureFormId: drafted.formId,
    documentSignatureFormFieldId: drafted.fieldId,
    documentSignatureSessionId: signing.sessionId,
    documentSignatureSessionRecipientId: signing.recipientId,
    signatureFormTemplateId: template?.id as string,
    singleUserPreferenceId: 'ViewType',
  };
  const bodies: Record<string, unknown> = {
    createProjects: [{ Name: 'New' }],
    updateProject: { Name: 'Renamed' },
    createDocumentFolders: [{ ParentID: null, Name: 'Folder', AssignmentUserEmails: [], HexColor: null }],
    updateDocumentFolder: { ParentID: '', Name: 'Renamed', HexColor: '', AssignmentUserEmails: [] },
    updateDocument: { ID: document.id, Name: 'Renamed' },
    updateUserPreference: { ID: 'ViewType', StringValue: 'List' },
    updateSingleUserPreference: { StringValue: 'List' },
    hideAddressBookItems: {},
    createLog: { Header: 'Viewer', Value1: 'The page could not be drawn.' },
    saveDocumentSubscription: { Subscribed: true },
    saveDocumentPackage: { Fields: [{ FieldID: field?.id, Value: 'red' }] },
    confirmDocumentUploads: [
      { UniqueId: uploadId, OriginalFilename: 'a.txt', OriginalFileSize: 8, Tags: ['new'] },
    ],
    setDocumentFolder: { IDs: [document.id], DocumentFolderID: '' },
    sendToRecycleBin: { IDs: [document.id] },
    restoreFromRecycleBin: { IDs: [recycled.id] },
    createFields: [{ Name: 'Amount', Type: 'FieldType_Number', Required: true }],
    updateField: { Name: 'Renamed', Label: 'Shown', ParentFieldID: '' },
    deleteFields: { IDs: [field?.id] },
    createOrganizations: [{ Name: 'New' }],
    deleteProjects: { IDs: [project.id] },
    addOrganizationMembers: [{ UserEmail: 'ines.kallio@example.test', IsAdmin: true }],
    addProjectMembers: [{ UserEmail: owner.email, IsReadOnly: true }],
    deleteDocumentFolders: { IDs: [empty?.id] },
    createDocumentComments: { Comments: ['said'] },
    updateUserProfile: { UserName: 'Renamed' },
    addPublicFormChoices: [{ Value: 'green' }],
    addFieldListItems: [{ Value: 'blue', ParentValue: '' }],
    createTasks: [{ Name: 'New', PrimaryDocument: { DocumentID: document.id } }],
    updateTask: { Name: 'Renamed', DueOn: '2031-03-04T09:15:27.402118Z' },
    assignTask: { AssignmentUserEmail: owner.email },
    createTaskComments: { Comments: ['said'] },
    linkTaskDocuments: [{ DocumentID: document.id }],
    approveApprovals: { IDs: [document.id] },
    declineApprovals: { IDs: [document.id] },
    denyApprovals: { IDs: [document.id] },
    shareFormTemplates: { IDs: [form.id], UserEmails: [owner.email], IsPublic: true, Message: '' },
    submitPublicForm: [
      {
        TenantID: project.id,
        FormTemplateID: form.id,
        FormSubmissionFields: [{ ID: form.fieldId, Value: 'red', Values: '' }],
      },
    ],
    addSignatureFormFields: [{ Type: 'Signature', PageIndex: 0, X: 12.5, Y: 40.25 }],
    updateSignatureForm: { LastViewedPageIndex: 1, SignatureFormTemplateID: template?.id },
    updateSignatureFormField: { Type: 'Date', PageIndex: 0, X: 1, Y: 2 },
    saveSignatureSessionPackages: [{ Session: { ID: drafted.sessionId }, BeginSession: true }],
    signDocument: [{ DocumentSignatureFormFieldID: signing.fieldId, Value: 'Tove Ahlgren' }],
    createSignatureFormTemplates: [{ Name: 'One signer' }],
    updateSignatureFormTemplate: { Name: 'Three signers' },
    addSignatureFormTemplateFields: [{ Type: 'Initials', DocumentSignatureSessionRecipientID: '2' }],
    createApiKeys: [{ Name: 'Key', ExpiresOn: '0001-01-01T00:00:00Z' }],
    deleteApiKeys: { IDs: [spare?.id] },
  };
  /** Preparations that a route needs before its request. */
  const ready: Record<string, () => Promise<unknown>> = {
    getDocumentEvidence: async () => {
      await updateSignatureSession(ctx, { documentId: document.id, begin: true });
      const { sessionId, recipientId, fieldId } = drafted;
      await signDocument(ctx, { sessionId, recipientId, values: [{ fieldId, value: 'Tove Ahlgren' }] });
      await sealSession(ctx, sessionId);
    },
  };
  const queries: Record<string, string> = { confirmDocumentUploads: `?uniqueId=${uploadId}` };
  await owner.rest(
    'POST',
    `/organizations/${organization.id}/projects/${project.id}/documentActions/sendToRecycleBin`,
    {
      IDs: [recycled.id],
    },
  );
  const [group] = await createGroups(ctx, {
    organizationId: organization.id,
    groups: [{ name: 'Harbour masters' }],
  });
  const { id: memberId } = await world.db.prisma.membership.findFirstOrThrow({ where: { userId: owner.id } });
  await addGroupMembers(ctx, { groupId: group?.id as string, memberIds: [memberId] });
  await openAll(world.db, organization.id);
  /** The path of a route, with the ids of this world or other ids. */
  const fill = (row: { id: string; path: string }, elsewhere: Record<string, string> = {}) =>
    row.path.replace(/:(\w+)/g, (_, name) => ({ ...params, ...elsewhere })[name] ?? `no-${name}`) +
    (queries[row.id] ?? '');
  return {
    ...world,
    folder,
    document,
    other,
    recycled,
    task,
    field: field as { id: string },
    group: { id: group?.id as string, memberId },
    uploadId,
    params,
    bodies,
    ready,
    fill,
  };
}
