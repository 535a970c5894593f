import { formAnswer, formShare, formSubmission } from '../../../forms/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const PROJECT = 'string The project of the form; with a public link, the secret of the link.';
const LINK = 'string The secret of the public link, instead of a credential.';

export const formArea: Area = {
  title: 'Forms',
  about:
    'A form collects values of the project’s fields. A form with a public link can be filled in without an account.',
  inputs: shapesOf([formShare, formAnswer, formSubmission]),
  operations: {
    listFormTemplates: {
      summary: 'List the forms of a project',
      query: { pageSize: 'integer The number of forms in a page, 100 at most.' },
      answer: { key: 'FormTemplates', of: 'FormTemplate' },
    },
    listFormTemplateFields: { summary: 'List the fields of a form', answer: 'FormTemplateField[]' },
    exportFormSubmissions: {
      summary: 'Export the submissions of a form',
      details:
        'Editors of the project get all submissions, others their own; oldest first. A text that a spreadsheet would read as a formula is prefixed with an apostrophe. The file begins with a byte order mark, by which Excel knows that it is UTF-8.',
      query: { bom: 'boolean False leaves the byte order mark out.' },
      textAnswer: [
        'text/csv',
        'CSV (RFC 4180) with a header line; several values of a field are in one cell, separated by line breaks.',
        'Submission,Submitted at,Submitted by,Document,Colour\r\nfsb_01k9czhv7gqyd0yj0yk8wz1hm6,2031-03-04T09:15:27.402Z,,doc_01k9nztfxdmdms8g8s6whatht9,red\r\n',
      ],
    },
    shareFormTemplates: {
      summary: 'Share forms',
      details: 'UniqueID in the response is the secret of the public link.',
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
    addPublicFormChoices: {
      summary: 'Add choices to the project’s field behind a form field',
      details: 'Requires the role ADMIN in the project; the public link of the form does not suffice.',
      query: { tenantId: PROJECT, type: 'string `file`: the body is CSV, which replaces all choices.' },
      body: 'ChoiceInput[]',
      textBody: ['CSV without a header line, as getAllAsFlatFile returns it.', 'red\nblue\n'],
    },
    listPublicFormChoices: {
      summary: 'List the choices of a field by the link of its form',
      query: {
        uniqueId: LINK,
        tenantId: PROJECT,
        parentValue: 'string Only the choices for this value of the parent field.',
        valueFilter: 'string Only the choices that start with this text.',
      },
      answer: 'FieldListItem[]',
    },
    submitPublicForm: {
      summary: 'Fill in a form',
      details: 'Each submission becomes a document. All of them are accepted, or none is.',
      query: { uniqueId: LINK, tenantId: PROJECT },
      body: 'FormSubmission[]',
    },
  },
};
