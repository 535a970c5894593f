import type { FieldRecordFragment, GetDocumentPackageQuery } from '../../generated/operations/graphql.ts';
import { approvalRecord } from '../approvals/record.ts';
import { documentRecord } from '../documents/record.ts';
import { fieldMembers } from '../fields/record.ts';
import { joinValues } from '../fields/values.ts';
import { subscriptionRecord } from '../follows/record.ts';
import { ownProjectMember, projectMemberRecord } from '../members/record.ts';
import { accessType } from '../projects/record.ts';
import { integer, many, member, nullable, one, pick, record, string } from '../shape/record.ts';

/** A field with the values of a document, and its position among the fields that documents carry. */
type PackageField = FieldRecordFragment & { position: number; values: readonly string[] };

/** A field of one value has it in Value alone, so that a client may change just that. */
const packageFieldRecord = record<PackageField>(
  'DocumentPackageField',
  'A field of the project, with the values of the document.',
  {
    FieldID: string((field) => field.id),
    FieldRank: integer((field) => field.position, 'Its position among them, counted from 0.', 1),
    ...pick<PackageField>(
      fieldMembers,
      'ParentFieldID',
      'Name',
      'LabelOrName',
      'Type',
      'DisplaySelectionList',
      'AllowMultipleLines',
      'Rows',
      'AllowMultipleValues',
      'AllowNewSelectionListItems',
      'SaveNewSelectionListItems',
      'DecimalPlaces',
      'Mask',
      'Required',
    ),
    Value: string((field) => field.values[0], 'The first value.'),
    Values: string(
      (field) => (field.multipleValues ? joinValues(field.values) : ''),
      'All values as a JSON array; empty for a field of one value.',
    ),
    ...pick<PackageField>(fieldMembers, 'UseCreationDate', 'TextMatchType'),
  },
  { Name: 'Permit', Type: 'FieldType_Text', Value: 'P-2031-44', Values: '' },
);

/** A document, with the fields of its project in their order. */
interface DocumentPackage {
  viewer: GetDocumentPackageQuery['viewer']['user'];
  document: NonNullable<GetDocumentPackageQuery['document']>;
  fields: FieldRecordFragment[];
}

function packageFields({ document, fields }: DocumentPackage): PackageField[] {
  const values = new Map(document.fieldValues.map((each) => [each.field.id, each.values]));
  return fields
    .filter(({ onDocuments }) => onDocuments)
    .map((field, position) => ({ ...field, position, values: values.get(field.id) ?? [] }));
}

export const packageRecord = record<DocumentPackage>(
  'DocumentPackage',
  'A document with its fields, its pending approval and whether the caller follows it.',
  {
    ProjectMember: one(
      projectMemberRecord,
      ({ viewer, document }) => ownProjectMember(viewer, document.project),
      'The caller in the project; without ID if they take part without having been added.',
    ),
    ProjectAccessType: string(({ document }) => accessType(document.project.access)),
    Document: one(documentRecord, ({ document }) => document, 'The document.'),
    DocumentSubscription: one(
      subscriptionRecord,
      ({ document }) => document,
      'Whether the caller follows the document.',
    ),
    Approval: nullable(
      member(
        approvalRecord.shapeName,
        ({ document: { pendingApproval } }) => pendingApproval && approvalRecord(pendingApproval),
        'The approval that is pending; null for none.',
      ),
    ),
    Fields: many(
      packageFieldRecord,
      packageFields,
      'The fields that documents of the project carry, in their order.',
    ),
  },
  { Approval: null },
);

export const packageRecords = [packageRecord, packageFieldRecord];
