import type { ApprovalRecordFragment, ApprovalState } from '../../generated/operations/graphql.ts';
import { previewRecord } from '../documents/preview.ts';
import { by, text, time, ZERO_TIME } from '../wire/values.ts';

const RESULTS = {
  PENDING: '',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  DENIED: 'Denied',
  // Clients of REST v1 know three results; nobody decided it.
  WITHDRAWN: 'Declined',
} as const satisfies Record<ApprovalState, string>;

/**
 * Approval. Members about roles and classes of documents are empty, as there are none. An item is completed when the
 * run of its process has ended.
 */
export const approvalRecord = ({ item, run, ...approval }: ApprovalRecordFragment) => ({
  ID: approval.id,
  CreatedOn: approval.createdAt,
  RoleID: '',
  RoleName: '',
  ProcessID: approval.process.id,
  ProcessName: approval.process.name,
  ProcessElementID: approval.step.id,
  ProcessElementName: approval.step.name,
  ParticipationType: approval.rule === 'ALL' ? 'All' : 'One',
  ApprovingTenantMemberIDs: Object.fromEntries(
    approval.approvers.nodes.map(({ memberId, state }) => [memberId, state !== 'PENDING']),
  ),
  Result: RESULTS[approval.state],
  OrganizationID: approval.organizationId,
  ProjectID: approval.project.id,
  ProjectName: approval.project.name,
  AssignmentUserEmail: text(approval.pendingApprover?.email),
  AssignmentUserName: text(approval.pendingApprover?.name),
  ReceivedFromEmail: approval.receivedFrom.user.email,
  ReceivedFromName: approval.receivedFrom.user.name,
  ReceivedFromResult: approval.receivedFrom.result ? RESULTS[approval.receivedFrom.result] : '',
  ItemType: item.kind === 'TASK' ? 'Task' : 'Document',
  ItemID: item.itemId,
  ItemCreatedOn: item.createdAt,
  ...by('ItemCreated', item.createdBy),
  ItemCompletedOn: time(run.completedAt),
  ...by('ItemCompleted', run.completedBy),
  ItemName: item.name,
  ItemDescription: item.description,
  ...placeMembers(item),
  Tags: item.document?.tags ?? item.task?.tags ?? [],
  AssetItemTags: [] as object[],
  ...documentMembers(item.document),
  TaskDueOn: time(item.dueAt),
});

/** Where the item is: a document in folders, a task below other tasks; empty at the top. */
const placeMembers = ({ document, task }: ApprovalRecordFragment['item']) => ({
  ItemAncestorIDs: document?.folder
    ? [...document.folder.ancestorIds, document.folder.id]
    : (task?.ancestorIds ?? []),
  ItemParentName: text(document?.folder?.name ?? task?.parent?.name),
  ItemPreviewMetadata: document ? previewRecord(document) : [],
});

/** The members about the document; empty for an approval of a task. */
const documentMembers = (document: ApprovalRecordFragment['item']['document']) => ({
  DocumentName: text(document?.name),
  DocumentCreatedOn: document?.createdAt ?? ZERO_TIME,
  ...by('DocumentCreated', document?.createdBy),
  DocumentPageCount: document?.pageCount ?? 0,
  DocumentFileSize: document?.size ?? 0,
  DocumentClassificationID: '',
  DocumentClassificationName: '',
  DocumentPreviewMetadata: document ? previewRecord(document) : [],
  DocumentIsSigned: Boolean(document?.signedAt),
  ThumbnailUrl: text(document?.thumbnailUrl),
});
