import { type Call, call, type Ids } from './call.ts';

const ZERO_TIME = '0001-01-01T00:00:00Z';
const ids =
  (...names: string[]) =>
  (of: Ids) => ({ IDs: names.map((name) => of[name]) });
const comments = () => ({ Comments: ['Seen', 'Second'] });

const SIGNATURE_FIELD = {
  ID: '',
  CreatedOn: ZERO_TIME,
  Type: 'Signature',
  PageIndex: 0,
  X: 12.5,
  Y: 40,
  Width: 120,
  Value: '',
};
const FORM = '~/documents/{documentId}/signatureForms/{documentSignatureFormId}';
const SIGNING =
  '/documentSignatureSessions/{documentSignatureSessionId}/signingRecipients/{documentSignatureSessionRecipientId}/fields';
const CHOICES = [{ ID: '', ParentValue: '', Value: 'green' }];

const organizations: Call[] = [
  call('POST /organizations', { body: () => [{ Name: 'Harbour Works' }] }),
  call('POST @/members?homePath=/organizations/{organizationId}/link/home', {
    body: () => [{ ID: '', UserID: '', UserName: '', UserEmail: 'ines@example.test', IsAdmin: false }],
  }),
  call('POST @/projects?homePath=/link/home&projectPathPrefix=/link/projects', {
    body: ({ projectId }) => [{ Name: 'Copy', SourceID: projectId, SourceContentCopy: false }],
  }),
  call('DELETE @/projects', { body: ids('projectId') }),
  call('PUT ~', { echo: true, body: () => ({ Name: 'Quay Renewal' }) }),
  call('POST ~/members?homePath=/link/home&projectPath=/link/projects', {
    body: ({ memberEmail }) => [
      { ID: '', UserID: '', UserEmail: memberEmail, IsAdmin: false, IsReadOnly: true },
    ],
  }),
];

const documents: Call[] = [
  call('PUT ~/documentUploads?uniqueId={uploadId}&captureOriginal=false&skipOCR=true', {
    body: ({ uploadId, documentFolderId, fieldId = '' }) => [
      {
        signedUrl: 'https://upload.example.test/put?sig=x',
        signedUrl2: '',
        objectName: 'uploads/r-71c0',
        uniqueId: uploadId,
        originalFilename: 'permit.txt',
        originalFilepath: 'C:\\scans\\permit.txt',
        originalFileSize: 8,
        fieldIDsAndValues: { [fieldId]: ['red'] },
        documentFolderID: documentFolderId,
        contentType: 'text/plain',
        tags: ['permit'],
      },
    ],
  }),
  call('PUT ~/documents/{documentId}', {
    body: ({ documentId }) => ({ ID: documentId, Name: 'permit-44.txt' }),
  }),
  call('PUT ~/documentPackages/{documentId}', { echo: true, body: () => ({}) }),
  call('POST ~/documents/{documentId}/comments', { body: comments }),
  call('POST ~/documentActions/setDocumentFolder', {
    body: ({ documentId }) => ({ IDs: [documentId], DocumentFolderID: '' }),
  }),
  call('POST ~/documentActions/sendToRecycleBin', { body: ids('documentId') }),
  call('POST ~/documentActions/restoreFromRecycleBin', { body: ids('recycledId') }),
  call('POST ~/documentFolders?documentFolderPathPrefix=/link/workspace', {
    body: () => [{ ParentID: null, Name: 'Permits', AssignmentUserEmails: [], HexColor: null }],
  }),
  call('PUT ~/documentFolders/{documentFolderId}', { echo: true, body: () => ({ Name: 'Permits' }) }),
  call('DELETE ~/documentFolders', { body: ids('emptyFolderId') }),
];

const fields: Call[] = [
  call('POST ~/fields', {
    body: () => [{ ID: '', Name: 'Amount', Type: 'FieldType_Number', DecimalPlaces: 2 }],
  }),
  call('PUT ~/fields/{fieldId}', { echo: true, body: () => ({ Label: 'Shown' }) }),
  call('DELETE ~/fields', { body: ids('fieldId') }),
  call('POST ~/fields/{fieldId}/listItems', { body: () => CHOICES }),
  call('POST ~/fields/{fieldId}/listItems?type=file', { body: () => 'red\ngreen\n' }),
];

const tasks: Call[] = [
  call('POST ~/tasks', { echo: '~/tasks/{taskId}', body: () => [{ ID: '', Name: 'Check the quay' }] }),
  call('PUT ~/tasks/{taskId}?taskId={taskId}', {
    echo: true,
    body: () => ({ DueOn: '2031-03-04T09:15:27Z' }),
  }),
  call('POST ~/tasks/{taskId}/actions/assign', {
    body: ({ memberEmail }) => ({ AssignmentUserEmail: memberEmail }),
  }),
  call('POST ~/tasks/{taskId}/actions/complete'),
  call('POST ~/tasks/{taskId}/comments', { body: comments }),
  call('POST ~/tasks/{taskId}/comments', { body: () => ({ Comments: [] }) }),
  call('POST ~/tasks/{taskId}/documents', { body: ({ documentId }) => [{ DocumentID: documentId }] }),
  ...['approvals/actions', 'approvalActions'].flatMap((path) =>
    ['approve', 'decline', 'deny'].map((action) =>
      call(`POST ~/${path}/${action}`, { body: ids('documentId') }),
    ),
  ),
];

const forms: Call[] = [
  call('POST ~/formTemplateActions/share', {
    body: ({ formTemplateId }) => ({ IDs: [formTemplateId], UserEmails: [], IsPublic: true, Message: '' }),
  }),
  call(
    'POST /formTemplatesPublic/{formTemplateId}/fields/{formTemplateFieldId}/listItems?tenantId={projectId}',
    {
      body: () => CHOICES,
    },
  ),
  call(
    'POST /formTemplatesPublic/{formTemplateId}/fields/{formTemplateFieldId}/listItems?tenantId={projectId}&type=file',
    { body: () => 'red\ngreen\n' },
  ),
  call('POST /formTemplatesPublic/{formTemplateId}/submissions', {
    body: ({ projectId, formTemplateId, formTemplateFieldId }) => [
      {
        TenantID: projectId,
        FormTemplateID: formTemplateId,
        FormSubmissionFields: [{ ID: formTemplateFieldId, Value: 'red', Values: '' }],
      },
    ],
  }),
];

const signatures: Call[] = [
  call(`POST ${FORM}/fields?clearExisting=false`, { body: () => [SIGNATURE_FIELD] }),
  call(`PUT ${FORM}`, { echo: true, body: () => ({ LastViewedPageIndex: 1 }) }),
  call(`PUT ${FORM}/fields/{documentSignatureFormFieldId}?clearExisting=false`, {
    body: ({ documentSignatureFormFieldId }) => ({ ...SIGNATURE_FIELD, ID: documentSignatureFormFieldId }),
  }),
  call(`DELETE ${FORM}/fields/{documentSignatureFormFieldId}`),
  call(`DELETE ${FORM}/fields`),
  call('PUT ~/documents/{documentId}/signatureSessionPackages', {
    echo: true,
    body: () => [{ BeginSession: true, ResetSession: false }],
  }),
  call(`PUT ${SIGNING}`, {
    body: ({ signingFieldId }) => [{ DocumentSignatureFormFieldID: signingFieldId, Value: 'Tove Ahlgren' }],
  }),
  call('POST ~/signatureFormTemplates', { body: () => [{ ID: '', Name: 'One signer' }] }),
  call('PUT ~/signatureFormTemplates/{signatureFormTemplateId}', {
    body: ({ signatureFormTemplateId }) => ({ ID: signatureFormTemplateId, Name: 'Three signers' }),
  }),
  call('DELETE ~/signatureFormTemplates/{signatureFormTemplateId}'),
  call('POST ~/signatureFormTemplates/{signatureFormTemplateId}/fields?clearExisting=true', {
    body: () => [{ ...SIGNATURE_FIELD, DocumentSignatureSessionRecipientID: '1' }],
  }),
];

const account: Call[] = [
  call('PUT /user/profile', { echo: true, body: () => ({ UserName: 'Tove Ahlgren' }) }),
  call('PUT /user/preferences', { body: () => ({ ID: 'ViewType', StringValue: 'List', BoolValue: false }) }),
  call('PUT /user/preferences/ViewType?singleUserPreferenceId=ViewType', {
    echo: true,
    body: () => ({ StringValue: 'Tiles' }),
  }),
  call('DELETE /user/addressBookItems'),
  call('POST /user/apiKeys', { body: () => [{ Name: 'Nightly export' }] }),
  call('DELETE /user/apiKeys', { body: ids('apiKeyId') }),
  call('POST /logs', { body: () => ({ Value1: 'The page could not be drawn.' }) }),
];

/** What published clients change. */
export const WRITE_CALLS: Call[] = [
  ...organizations,
  ...documents,
  ...fields,
  ...tasks,
  ...forms,
  ...signatures,
  ...account,
];
