import type { Tenant } from '../tenant.ts';

// biome-ignore lint/suspicious/noExplicitAny: its shape is the mutation's
export type Payload = any;

/** A mutation with its input, which may depend on the payload of the step before. */
export type Step = [mutation: string, input: object | ((before: Payload) => object)];

interface Changes {
  /** What is changed. */
  of: string;
  steps: (tenant: Tenant) => Step[] | Promise<Step[]>;
  /** The last event of this kind has these members. */
  kind: string;
  members: string[];
}

const SESSION_OPTIONS = {
  ...{ design: 'QUICK', useAccessCode: true, accessCode: 'tide and time', useCustomMail: true },
  ...{ customSubject: 'Please', customBody: 'Sign.', placeInitials: true, placeEmail: true },
};

const OTHER_OPTIONS = {
  ...{ design: 'CUSTOM', useAccessCode: false, useCustomMail: false, customSubject: '', customBody: '' },
  ...{ placeInitials: false, placeEmail: false, expiresAt: '2040-01-01T00:00:00.000Z' },
};

/** Changes of other members than those in mutation-facts.ts. */
export const MORE_CHANGES: Changes[] = [
  {
    of: 'a process',
    steps: ({ at, owner, member }) => {
      const approverIds = [owner.id, member.id];
      const kept = { id: at.step, name: 'Check', rule: 'ALL', approverIds };
      const steps = [kept, { name: 'Again', dueAfterDays: 2, approverIds }];
      return [
        ['updateProcess', { processId: at.process, disabled: true, steps }],
        ['updateProcess', { processId: at.process, disabled: false, steps: [kept] }],
      ];
    },
    kind: 'process.updated',
    members: ['archivedAt', 'steps'],
  },
  {
    of: 'a signature session',
    steps: ({ at, guest }) => {
      const expiresAt = new Date(Date.now() + 1e9).toISOString();
      const recipients = [{ email: guest.email, rank: 2 }];
      const options = { ...SESSION_OPTIONS, expiresAt, recipients };
      const { documentId } = at;
      return [
        ['updateSignatureSession', { documentId, ...options }],
        ['updateSignatureSession', { documentId, ...OTHER_OPTIONS, recipients: [] }],
      ];
    },
    kind: 'document.signatureSessionUpdated',
    members: [
      ...['formDesignType', 'useAccessCode', 'useCustomMail', 'customSubject', 'customBody'],
      ...['placeInitials', 'placeEmail', 'expiresAt', 'recipients'],
    ],
  },
  {
    of: 'the choices of a field',
    steps: ({ at }) => {
      const choices = [{ value: 'new' }, { value: 'red' }];
      return [['addFieldChoices', { fieldId: at.fieldId, choices, replace: true }]];
    },
    kind: 'field.choices_changed',
    members: ['choices'],
  },
  {
    of: 'a form',
    steps: ({ at }) => {
      const { formTemplateId } = at;
      const first = { formFieldId: at.formTemplateFieldId, required: true, defaultValues: ['red'], x: 2 };
      const order = (id: string) => ({ formTemplateId, formFieldIds: [id, at.formTemplateFieldId] });
      return [
        ['updateFormFields', { formTemplateId, fields: [first] }],
        ['createFormFields', { formTemplateId, fields: [{ fieldId: at.spareField }] }],
        ['reorderFormFields', ({ fields }) => order(fields[0].id)],
      ];
    },
    kind: 'form.fields_reordered',
    members: ['formFieldIds'],
  },
  {
    of: 'whom a form is shared with',
    steps: ({ at, guest }) => {
      const formTemplateIds = [at.formTemplateId];
      const sharing = { formTemplateIds, userEmails: [guest.email], isPublic: false, message: 'Please' };
      return [
        ['shareFormTemplates', sharing],
        ['unshareFormTemplates', { formTemplateIds }],
      ];
    },
    kind: 'form.unshared',
    members: ['userEmails'],
  },
  {
    of: 'a signature form',
    steps: ({ at }) => {
      const fields = [{ type: 'INITIALS', pageIndex: 0, x: 1, y: 2 }];
      const { documentSignatureFormId: formId, signatureFormTemplateId: templateId } = at;
      return [
        ['addSignatureFields', { formId, clearExisting: true, fields }],
        ['addSignatureTemplateFields', { templateId, clearExisting: true, fields }],
        ['applySignatureFormTemplate', { formId, templateId }],
      ];
    },
    kind: 'document.signatureTemplateApplied',
    members: ['fieldIds', 'templateId'],
  },
  {
    of: 'a document',
    steps: ({ at, guest }) => {
      const fieldValues = [{ fieldId: at.fieldId, values: [] }];
      const details = { tags: ['yard'], assigneeEmails: [guest.email], fieldValues };
      return [['updateDocument', { documentId: at.documentId, ...details }]];
    },
    kind: 'document.updated',
    members: ['tags', 'assigneeEmails', 'fieldValues'],
  },
  {
    of: 'a document with a revision',
    steps: ({ at }) => {
      const { documentId, projectId, upload: uploadId, fieldId } = at;
      const details = { tags: ['yard'], fieldValues: [{ fieldId, values: [] }] };
      return [
        ['confirmUploads', { projectId, files: [{ uploadId, name: 'a.txt', documentId, ...details }] }],
      ];
    },
    kind: 'document.updated',
    members: ['tags', 'fieldValues'],
  },
  {
    of: 'the content of a document',
    steps: ({ at: { documentId, projectId, upload: uploadId } }) => [
      ['confirmUploads', { projectId, files: [{ uploadId, name: 'a.txt', documentId }] }],
    ],
    kind: 'document.revised',
    members: ['contentType', 'restoredFrom', 'revision', 'sha256', 'size'],
  },
  {
    of: 'a folder',
    steps: ({ at, guest }) => {
      const details = { hexColor: '#123456', assigneeEmails: [guest.email], parentId: at.empty };
      return [['updateFolder', { folderId: at.sub, ...details }]];
    },
    kind: 'folder.moved',
    members: ['hexColor', 'assigneeEmails', 'parentId'],
  },
  {
    of: 'a task',
    steps: ({ at, member }) => {
      const time = { dueAt: '2031-02-03T04:05:06.000Z', duration: { amount: 2, unit: 'HOUR' } };
      const details = { tags: ['yard'], stakeholderIds: [member.id], priority: 3 };
      return [['updateTask', { taskId: at.taskId, ...time, ...details }]];
    },
    kind: 'task.updated',
    members: ['dueAt', 'duration', 'tags', 'stakeholderIds', 'priority'],
  },
  {
    of: 'the decision on an application',
    steps: ({ at: { organizationId, foreignClient: clientId } }) => [
      ['decideApplication', { organizationId, clientId, decision: null }],
      ['decideApplication', { organizationId, clientId, decision: 'APPROVED' }],
    ],
    kind: 'application.approved',
    members: ['decision'],
  },
  {
    of: 'a webhook',
    steps: ({ at }) => [
      ['updateWebhook', { webhookId: at.webhook, url: 'https://hooks.example/other', enabled: false }],
    ],
    kind: 'webhook.updated',
    members: ['url', 'state', 'stateReason'],
  },
];
