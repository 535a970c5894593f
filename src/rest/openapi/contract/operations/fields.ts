import type { Shape } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const settings: Shape['members'] = {
  ParentFieldID: 'string',
  Label: 'string',
  Rank: 'number',
  Required: 'boolean',
  Sensitive: 'boolean',
  AllowMultipleValues: 'boolean',
  AllowMultipleLines: 'boolean',
  Rows: 'integer',
  DisplaySelectionList: 'boolean',
  SelectionListIsDependent: 'boolean',
  AllowNewSelectionListItems: 'boolean',
  SaveNewSelectionListItems: 'boolean',
  DecimalPlaces: 'integer',
  Mask: 'string',
  UseCreationDate: 'boolean',
  TextMatchType: 'string',
  AllowDocumentField: 'boolean',
  HideLabel: 'boolean',
};

const CHOICES_FILTER = {
  parentValue: 'string Only the choices for this value of the parent field.',
  valueFilter: 'string Only the choices that start with this text.',
};

export const fieldArea: Area = {
  title: 'Fields and tags',
  about: 'Fields are the metadata that a project defines for its documents and forms.',
  inputs: {
    FieldInput: {
      about: 'A new field.',
      members: {
        Name: 'string!',
        Type: 'string! `FieldType_Text`, `FieldType_Number`, `FieldType_Currency`, `FieldType_Date` or `FieldType_Bool`.',
        ...settings,
      },
      example: { Name: 'Permit', Type: 'FieldType_Text', Required: true },
    },
    FieldPart: {
      about:
        'Changes of a field; members that are left out do not change. The type of a field cannot change.',
      members: { Name: 'string', ...settings },
      example: { Label: 'Permit number' },
    },
    ChoiceInput: {
      about: 'A new choice.',
      members: { Value: 'string!', ParentValue: 'string' },
      example: { Value: 'Red' },
    },
  },
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
