import type {
  ApprovalOrderField,
  ApprovalRecordFragment,
  ApprovalState,
} from '../../generated/operations/graphql.ts';
import { by, text, time, ZERO_TIME } from '../wire/wire.ts';

const RESULTS = {
  PENDING: '',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  DENIED: 'Denied',
} as const satisfies Record<ApprovalState, string>;

const SORT_TYPES = {
  CREATED_AT: 'CreatedOn',
  ITEM_NAME: 'ItemName',
} as const satisfies Record<ApprovalOrderField, string>;

/** Undefined for a word that is no sortType of approvals. */
export const orderOfSortType = (type: string): ApprovalOrderField | undefined =>
  (Object.keys(SORT_TYPES) as ApprovalOrderField[]).find(
    (field) => SORT_TYPES[field].toLowerCase() === type.toLowerCase(),
  );

/** Approval. There are no roles to ask, and no classes of documents; an item is done when its run has ended. */
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
  ItemType: item.kind === 'TASK' ? 'Task' : 'Document',
  ItemID: item.id,
  ItemCreatedOn: item.createdAt,
  ...by('ItemCreated', item.createdBy),
  ItemCompletedOn: time(run.completedAt),
  ...by('ItemCompleted', run.completedBy),
  ItemName: item.name,
  ItemDescription: item.description,
  ...documentMembers(item.document),
  TaskDueOn: time(item.dueAt),
});

/** What an approval says of its document; of a task, nothing. */
const documentMembers = (document: ApprovalRecordFragment['item']['document']) => ({
  DocumentName: text(document?.name),
  DocumentCreatedOn: document?.createdAt ?? ZERO_TIME,
  ...by('DocumentCreated', document?.createdBy),
  DocumentPageCount: document?.pageCount ?? 0,
  DocumentFileSize: document?.size ?? 0,
  DocumentClassificationID: '',
  DocumentClassificationName: '',
  DocumentPreviewMetadata: [],
  DocumentIsSigned: Boolean(document?.signedAt),
  ThumbnailUrl: text(document?.thumbnailUrl),
});
