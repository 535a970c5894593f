import type { FieldRecordFragment, FieldType, ListTagsQuery } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../projects/record.ts';
import {
  boolean,
  integer,
  lower,
  nullable,
  number,
  one,
  type RecordMembers,
  record,
  string,
  strings,
  time,
} from '../shape/record.ts';
import { assetItemTagRecord } from './asset-item-tag.ts';

export const FIELD_TYPES: Record<FieldType, string> = {
  TEXT: 'FieldType_Text',
  NUMBER: 'FieldType_Number',
  CURRENCY: 'FieldType_Currency',
  DATE: 'FieldType_Date',
  BOOL: 'FieldType_Bool',
};

type Field = FieldRecordFragment;

const labelOrName = (field: Field) => field.label || field.name;

/** The members about its project are empty for a caller who sees the field only on a form. */
export const fieldMembers: RecordMembers<Field> = {
  ID: string((field) => field.id),
  CreatedOn: time((field) => field.createdAt),
  ParentFieldID: string((field) => field.parentId),
  Name: string((field) => field.name),
  NameLower: lower((field) => field.name),
  Label: string((field) => field.label),
  LabelLower: lower((field) => field.label),
  LabelOrName: string(labelOrName),
  LabelOrNameLower: lower(labelOrName),
  Type: string((field) => FIELD_TYPES[field.type]),
  DisplaySelectionList: boolean((field) => field.hasChoices),
  AllowMultipleLines: boolean((field) => field.multipleLines),
  Rows: integer((field) => field.rows),
  AllowMultipleValues: boolean((field) => field.multipleValues),
  AllowNewSelectionListItems: boolean((field) => field.newChoicesAllowed),
  SaveNewSelectionListItems: boolean((field) => field.newChoicesSaved),
  DecimalPlaces: integer((field) => field.decimalPlaces),
  Mask: string((field) => field.mask),
  Required: boolean((field) => field.required),
  Sensitive: boolean((field) => field.sensitive),
  UseCreationDate: boolean((field) => field.usesCreationDate),
  TextMatchType: string((field) => field.textMatchType),
  OrganizationID: nullable(string((field) => (field.project ? field.organizationId : ''))),
  ProjectID: nullable(string((field) => field.project?.id)),
  ProjectName: nullable(string((field) => field.project?.name)),
  ProjectAccess: nullable(one(projectAccess, (field) => field.project?.access)),
  Rank: nullable(number((field) => field.rank)),
  AllowDocumentField: nullable(boolean((field) => field.onDocuments)),
  ChildFieldIDs: nullable(
    strings((field) => (field.project ? field.childIds : []), 'The ids of the fields that depend on it.'),
  ),
  HideLabel: nullable(boolean((field) => field.labelHidden)),
  SelectionListIsDependent: nullable(boolean((field) => field.choicesDependOnParent)),
  DocumentTags: nullable(strings(() => [], 'Always empty.')),
  ReadOnly: nullable(boolean(() => false, 'Always false.')),
  SourceID: nullable(string(() => '', 'Always empty.')),
};

export const fieldRecord = record<Field>('Field', 'A field of a project.', fieldMembers, {
  ID: 'fie_01k93wsc89ed30b967wnpk5afg',
  Name: 'Permit',
  Type: 'FieldType_Text',
});

/** A choice of a field. */
interface Choice {
  id: string;
  parentValue: string;
  value: string;
}

export const choiceRecord = record<Choice>(
  'FieldListItem',
  'A choice of a field.',
  {
    ID: string((choice) => choice.id),
    ParentValue: string((choice) => choice.parentValue),
    Value: string((choice) => choice.value),
  },
  { ID: 'fli_01k9qtt5bhhbakc60xs1kace43', Value: 'Red' },
);

type Tag = NonNullable<ListTagsQuery['project']>['tags']['nodes'][number];

export const tagRecord = record<Tag>('Tag', 'A tag.', {
  ID: nullable(string((tag) => tag.id)),
  Text: nullable(string((tag) => tag.text, 'The tag.', 'permit')),
  TextLower: nullable(lower((tag) => tag.text)),
  ModifiedOn: nullable(time((tag) => tag.modifiedAt)),
  AssetItemTag: one(assetItemTagRecord, () => null, 'Always empty.'),
});

export const fieldRecords = [fieldRecord, choiceRecord, tagRecord, assetItemTagRecord];
