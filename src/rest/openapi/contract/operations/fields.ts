import type { Area, Shape } from '../contract.ts';

const traits: Shape['members'] = {
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
  valueFilter: 'string Only the choices that begin with this.',
};

export const fieldArea: Area = {
  title: 'Fields and tags',
  about: 'What a project notes about its documents, and asks for in its forms.',
  inputs: {
    FieldInput: {
      about: 'A new field.',
      members: {
        Name: 'string!',
        Type: 'string! `FieldType_Text`, `FieldType_Number`, `FieldType_Currency`, `FieldType_Date` or `FieldType_Bool`.',
        ...traits,
      },
      example: { Name: 'Permit', Type: 'FieldType_Text', Required: true },
    },
    FieldPart: {
      about: 'What changes of a field; what is left out stays as it is. Its type never changes.',
      members: { Name: 'string', ...traits },
      example: { Label: 'Permit number' },
    },
    ChoiceInput: {
      about: 'A new choice.',
      members: { Value: 'string!', ParentValue: 'string' },
      example: { Value: 'Red' },
    },
  },
  operations: {
    listFields: { summary: 'List the fields of a project', answer: { key: 'Fields', of: 'Field' } },
    createFields: { summary: 'Create fields', body: 'FieldInput[]', answer: 'Field[]' },
    deleteFields: { summary: 'Delete fields', body: 'IDs' },
    getField: { summary: 'Get a field', answer: 'Field' },
    updateField: { summary: 'Update a field', body: 'FieldPart', answer: 'Field' },
    listFieldListItems: {
      summary: 'List the choices of a field',
      details: 'At most 1,000 of them.',
      query: {
        cursor: 'string Accepted, and not read.',
        ...CHOICES_FILTER,
        getAllAsFlatFile: 'boolean All of them as CSV: the value, or the value of the parent and the value.',
      },
      answer: 'FieldListItem[]',
      textAnswer: ['text/csv', 'With getAllAsFlatFile, lines of CSV without a heading (RFC 4180).'],
    },
    addFieldListItems: {
      summary: 'Add choices to a field',
      query: { type: 'string With `file`, the body is text whose lines take the place of all choices.' },
      body: 'ChoiceInput[]',
      textBody: 'Lines of CSV without a heading, as getAllAsFlatFile gives them.',
    },
    listTags: {
      summary: 'List the tags in use',
      query: { includeAssetItems: 'boolean Accepted, and not read.' },
      answer: { key: 'Tags', of: 'Tag' },
    },
  },
};
