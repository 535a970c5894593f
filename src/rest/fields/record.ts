import type { FieldRecordFragment, FieldType } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../wire/common-records.ts';
import type { Members } from '../wire/read.ts';
import { text } from '../wire/wire.ts';

export const FIELD_TYPES: Record<FieldType, string> = {
  TEXT: 'FieldType_Text',
  NUMBER: 'FieldType_Number',
  CURRENCY: 'FieldType_Currency',
  DATE: 'FieldType_Date',
  BOOL: 'FieldType_Bool',
};

/** Undefined for a word that is none of the contract's. */
export const fieldTypeOf = (word: string): FieldType | undefined =>
  (Object.keys(FIELD_TYPES) as FieldType[]).find(
    (type) => FIELD_TYPES[type].toLowerCase() === word.toLowerCase(),
  );

/** Field. Who sees it only on a form is told nothing of the project around it. */
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
  };
}

/** What a Field of the wire says of its traits. */
export const fieldTraits = (item: Members) => ({
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
