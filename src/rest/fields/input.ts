import { input } from '../shape/input.ts';
import {
  filledText,
  flag,
  integer,
  mapped,
  number,
  requiredTerm,
  requiredText,
  text,
} from '../shape/input-member.ts';
import { FIELD_TYPES } from './record.ts';

const settings = {
  label: text('Label'),
  rank: number('Rank'),
  required: flag('Required'),
  sensitive: flag('Sensitive'),
  multipleValues: flag('AllowMultipleValues'),
  multipleLines: flag('AllowMultipleLines'),
  rows: mapped(integer('Rows'), (rows) => rows || undefined),
  choices: flag('DisplaySelectionList'),
  choicesDependOnParent: flag('SelectionListIsDependent'),
  newChoicesAllowed: flag('AllowNewSelectionListItems'),
  newChoicesSaved: flag('SaveNewSelectionListItems'),
  decimalPlaces: integer('DecimalPlaces'),
  mask: text('Mask'),
  usesCreationDate: flag('UseCreationDate'),
  textMatchType: text('TextMatchType'),
  onDocuments: flag('AllowDocumentField'),
  labelHidden: flag('HideLabel'),
};

export const newField = input(
  'FieldInput',
  'A new field.',
  {
    name: requiredText('Name'),
    type: requiredTerm(
      'Type',
      FIELD_TYPES,
      '`FieldType_Text`, `FieldType_Number`, `FieldType_Currency`, `FieldType_Date` or `FieldType_Bool`.',
    ),
    parentId: filledText('ParentFieldID'),
    ...settings,
  },
  { example: { Name: 'Permit', Type: 'FieldType_Text', Required: true } },
);

export const fieldChange = input(
  'FieldPart',
  'Changes of a field; members that are left out do not change. The type of a field cannot change.',
  { name: text('Name'), parentId: text('ParentFieldID'), ...settings },
  { example: { Label: 'Permit number' } },
);

export const newChoice = input(
  'ChoiceInput',
  'A new choice.',
  { value: requiredText('Value'), parentValue: text('ParentValue') },
  { example: { Value: 'Red' } },
);
