import type { FieldRecordFragment, GetDocumentPackageQuery } from '../../generated/operations/graphql.ts';
import { approvalRecord } from '../approvals/record.ts';
import { documentRecord } from '../documents/record.ts';
import { fieldRecord } from '../fields/record.ts';
import { joinValues } from '../fields/values.ts';
import { subscriptionRecord } from '../follows/record.ts';
import { ownProjectMemberRecord } from '../members/record.ts';
import { accessType } from '../projects/record.ts';
import { text } from '../wire/values.ts';

type Viewer = GetDocumentPackageQuery['viewer']['user'];
type Document = NonNullable<GetDocumentPackageQuery['document']>;

/** DocumentPackageField. A field of one value has it in Value alone, so that a client may change just that. */
const packageField =
  (values: ReadonlyMap<string, readonly string[]>) => (field: FieldRecordFragment, rank: number) => {
    const { ID, ParentFieldID, Name, LabelOrName, ...record } = fieldRecord(field);
    const own = values.get(field.id) ?? [];
    return {
      FieldID: ID,
      FieldRank: rank,
      ParentFieldID,
      Name,
      LabelOrName,
      Type: record.Type,
      DisplaySelectionList: record.DisplaySelectionList,
      AllowMultipleLines: record.AllowMultipleLines,
      Rows: record.Rows,
      AllowMultipleValues: record.AllowMultipleValues,
      AllowNewSelectionListItems: record.AllowNewSelectionListItems,
      SaveNewSelectionListItems: record.SaveNewSelectionListItems,
      DecimalPlaces: record.DecimalPlaces,
      Mask: record.Mask,
      Required: record.Required,
      Value: text(own[0]),
      Values: field.multipleValues ? joinValues(own) : '',
      UseCreationDate: record.UseCreationDate,
      TextMatchType: record.TextMatchType,
    };
  };

/** DocumentPackage: `fields` are those of the project, in their order. */
export function documentPackage(viewer: Viewer, document: Document, fields: FieldRecordFragment[]) {
  const { project, fieldValues, pendingApproval } = document;
  const values = new Map(fieldValues.map(({ field, values }) => [field.id, values]));
  return {
    ProjectMember: ownProjectMemberRecord(viewer, project),
    ProjectAccessType: accessType(project.access),
    Document: documentRecord(document),
    DocumentSubscription: subscriptionRecord(document),
    Approval: pendingApproval && approvalRecord(pendingApproval),
    Fields: fields.filter(({ onDocuments }) => onDocuments).map(packageField(values)),
  };
}
