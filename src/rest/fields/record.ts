import type { FieldRecordFragment, FieldType } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../projects/record.ts';
import type { Members } from '../wire/members.ts';
import { text } from '../wire/values.ts';

export const FIELD_TYPES: Record<FieldType, string> = {
  TEXT: 'FieldType_Text',
  NUMBER: 'FieldType_Number',
  CURRENCY: 'FieldType_Currency',
  DATE: 'FieldType_Date',
  BOOL: 'FieldType_Bool',
};

/** Field. The members about its project are empty for a caller who sees the field only on a form. */
export function fieldRecord(field: FieldRecordFragment) {
  const labelOrName = field.label || field.name;
  return {
    ID: field.id,
    CreatedOn: field.createdAt,
    ParentFieldID: text(field.parentId),
    Name: field.name,
    NameLower: field.name.toLowerCase(),
    Label: text(field.label),
    LabelLower: text(field.label).toLowerCase(),
    LabelOrName: labelOrName,
    LabelOrNameLower: labelOrName.toLowerCase(),
    Type: FIELD_TYPES[field.type],
    DisplaySelectionList: field.hasChoices,
    AllowMultipleLines: field.multipleLines,
    Rows: field.rows,
    AllowMultipleValues: field.multipleValues,
    AllowNewSelectionListItems: field.newChoicesAllowed,
    SaveNewSelectionListItems: field.newChoicesSaved,
    DecimalPlaces: field.decimalPlaces,
    Mask: text(field.mask),
    Required: field.required,
    Sensitive: field.sensitive,
    UseCreationDate: field.usesCreationDate,
    TextMatchType: text(field.textMatchType),
    OrganizationID: field.project ? field.organizationId : '',
    ProjectID: text(field.project?.id),
    ProjectName: text(field.project?.name),
    ProjectAccess: projectAccess(field.project?.access),
    Rank: field.rank,
    AllowDocumentField: field.onDocuments,
    ChildFieldIDs: field.project ? field.childIds : [],
    HideLabel: field.labelHidden,
    SelectionListIsDependent: field.choicesDependOnParent,
    DocumentTags: [],
    ReadOnly: false,
    SourceID: '',
  };
}

/** The caller's names for the members of a field. */
export const FIELD_NAMES = {
  name: 'Name',
  type: 'Type',
  parentId: 'ParentFieldID',
  label: 'Label',
  rank: 'Rank',
  required: 'Required',
  sensitive: 'Sensitive',
  multipleValues: 'AllowMultipleValues',
  multipleLines: 'AllowMultipleLines',
  rows: 'Rows',
  choices: 'DisplaySelectionList',
  choicesDependOnParent: 'SelectionListIsDependent',
  newChoicesAllowed: 'AllowNewSelectionListItems',
  newChoicesSaved: 'SaveNewSelectionListItems',
  decimalPlaces: 'DecimalPlaces',
  mask: 'Mask',
  usesCreationDate: 'UseCreationDate',
  textMatchType: 'TextMatchType',
  onDocuments: 'AllowDocumentField',
  labelHidden: 'HideLabel',
};

/** The settings of a field in a request. */
export const fieldSettings = (item: Members) => ({
  parentId: item.text('ParentFieldID') || undefined,
  label: item.text('Label'),
  rank: item.number('Rank'),
  required: item.flag('Required'),
  sensitive: item.flag('Sensitive'),
  multipleValues: item.flag('AllowMultipleValues'),
  multipleLines: item.flag('AllowMultipleLines'),
  rows: item.integer('Rows') || undefined,
  choices: item.flag('DisplaySelectionList'),
  choicesDependOnParent: item.flag('SelectionListIsDependent'),
  newChoicesAllowed: item.flag('AllowNewSelectionListItems'),
  newChoicesSaved: item.flag('SaveNewSelectionListItems'),
  decimalPlaces: item.integer('DecimalPlaces'),
  mask: item.text('Mask'),
  usesCreationDate: item.flag('UseCreationDate'),
  textMatchType: item.text('TextMatchType'),
  onDocuments: item.flag('AllowDocumentField'),
  labelHidden: item.flag('HideLabel'),
});
