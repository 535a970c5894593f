import type { Area } from '../contract.ts';

const PROJECT = 'string The project of the form; or, with its public link, the secret of that.';
const LINK = 'string The secret of the public link. It takes the place of a credential.';

export const formArea: Area = {
  title: 'Forms',
  about:
    'Forms ask for fields of a project. A form that is shared by a public link is opened and filled in without an account.',
  inputs: {
    FormShare: {
      about: 'Forms, and who may fill them in.',
      members: {
        IDs: 'string[]! The ids of the forms.',
        UserEmails: 'string[] The people to share them with.',
        IsPublic: 'boolean Whether anyone with the link may.',
        Message: 'string What those people are told.',
      },
      example: { IDs: ['frm_01k9czhv7gqyd0yj0yk8wz1hm6'], IsPublic: true },
    },
    FormAnswer: {
      about:
        'What is answered to one field. A whole FormTemplateField may be sent; the rest of it is not read.',
      members: {
        ID: 'string The field of the form.',
        FormTemplateFieldID: 'string The field of the form, where the ID is another.',
        Value: 'string The value.',
        Values: 'string Several values, as a JSON array in text.',
      },
      example: { ID: 'ffd_01k9czhv7gqyd0yj0yk8wz1hm6', Value: 'P-2031-44' },
    },
    FormSubmission: {
      about: 'A form that is filled in.',
      members: {
        TenantID: PROJECT,
        FormTemplateID: 'string If sent, the id in the path.',
        FormSubmissionFields: 'FormAnswer[] What is answered.',
      },
      example: { FormSubmissionFields: [{ ID: 'ffd_01k9czhv7gqyd0yj0yk8wz1hm6', Value: 'P-2031-44' }] },
    },
  },
  operations: {
    listFormTemplates: {
      summary: 'List the forms of a project',
      answer: { key: 'FormTemplates', of: 'FormTemplate' },
    },
    listFormTemplateFields: { summary: 'List the fields of a form', answer: 'FormTemplateField[]' },
    exportFormSubmissions: {
      summary: 'Export what was submitted to a form',
      details:
        'All of it for editors of the project, for others their own; the oldest first. Texts that a spreadsheet would take for a formula have an apostrophe before them.',
      textAnswer: [
        'text/csv',
        'Lines of CSV (RFC 4180), of which the first names the columns; several values of a field stand in one cell, with line breaks between them.',
      ],
    },
    shareFormTemplates: {
      summary: 'Share forms',
      details: 'UniqueID of the answer opens the public link.',
      body: 'FormShare',
      answer: 'FormTemplate[]',
    },
    openPublicForm: {
      summary: 'Open a form by its link',
      query: { uniqueId: LINK, tenantId: PROJECT },
      answer: 'FormTemplate',
    },
    listPublicFormFields: {
      summary: 'List the fields of a form by its link',
      query: { uniqueId: LINK, tenantId: PROJECT },
      answer: 'FormTemplateField[]',
    },
    listPublicFormChoices: {
      summary: 'List the choices of a field by the link of its form',
      query: {
        uniqueId: LINK,
        tenantId: PROJECT,
        parentValue: 'string Only the choices for this value of the parent field.',
        valueFilter: 'string Only the choices that begin with this.',
      },
      answer: 'FieldListItem[]',
    },
    submitPublicForm: {
      summary: 'Fill in a form',
      details: 'Each package becomes a document; all of them do, or none does.',
      query: { uniqueId: LINK, tenantId: PROJECT },
      body: 'FormSubmission[]',
    },
  },
};
