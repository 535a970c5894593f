import { fieldChange, newChoice, newField } from '../../../fields/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const CHOICES_FILTER = {
  parentValue: 'string Only the choices for this value of the parent field.',
  valueFilter: 'string Only the choices that start with this text.',
};

export const fieldArea: Area = {
  title: 'Fields and tags',
  about: 'Fields are the metadata that a project defines for its documents and forms.',
  inputs: shapesOf([newField, fieldChange, newChoice]),
  operations: {
    listFields: {
      summary: 'List the fields of a project',
      query: { getAll: 'boolean All fields in one page, whose PageSize is 0.' },
      answer: { key: 'Fields', of: 'Field' },
    },
    createFields: { summary: 'Create fields', body: 'FieldInput[]', answer: 'Field[]' },
    deleteFields: { summary: 'Delete fields', body: 'IDs' },
    getField: { summary: 'Get a field', answer: 'Field' },
    updateField: { summary: 'Update a field', body: 'FieldPart', answer: 'Field' },
    listFieldListItems: {
      summary: 'List the choices of a field',
      details: 'At most 1,000 choices.',
      query: {
        cursor: 'string Accepted and ignored.',
        ...CHOICES_FILTER,
        getAllAsFlatFile:
          'boolean All choices as CSV: the value, or the value of the parent field and the value.',
      },
      answer: 'FieldListItem[]',
      textAnswer: [
        'text/csv',
        'With getAllAsFlatFile, CSV without a header line (RFC 4180).',
        'red\r\nblue\r\n',
      ],
    },
    addFieldListItems: {
      summary: 'Add choices to a field',
      query: { type: 'string `file`: the body is CSV, which replaces all choices.' },
      body: 'ChoiceInput[]',
      textBody: ['CSV without a header line, as getAllAsFlatFile returns it.', 'red\nblue\n'],
    },
    listTags: {
      summary: 'List the tags in use',
      query: { includeAssetItems: 'boolean Accepted and ignored.' },
      answer: { key: 'Tags', of: 'Tag' },
    },
  },
};
