import type { ApprovalRecordFragment, ApprovalState } from '../../generated/operations/graphql.ts';
import { previews } from '../documents/preview.ts';
import { assetItemTags } from '../fields/asset-item-tag.ts';
import { boolean, by, integer, member, nullable, record, string, strings, time } from '../shape/record.ts';

const RESULTS = {
  PENDING: '',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  DENIED: 'Denied',
  // Clients of REST v1 know three results; nobody decided it.
  WITHDRAWN: 'Declined',
} as const satisfies Record<ApprovalState, string>;

type Approval = ApprovalRecordFragment;

/** The ids of the folders above a document, or of the tasks above a task; none at the top. */
const ancestorsOf = ({ document, task }: Approval['item']): string[] =>
  document?.folder ? [...document.folder.ancestorIds, document.folder.id] : (task?.ancestorIds ?? []);

/**
 * Members about roles and classes of documents are empty, as there are none. An item is completed when the run of its
 * process has ended.
 */
export const approvalRecord = record<Approval>(
  'Approval',
  'A request to the caller to approve a document or a task.',
  {
    ID: string((approval) => approval.id),
    CreatedOn: time((approval) => approval.createdAt),
    RoleID: string(() => ''),
    RoleName: string(() => ''),
    ProcessID: string((approval) => approval.process.id),
    ProcessName: string((approval) => approval.process.name),
    ProcessElementID: string((approval) => approval.step.id),
    ProcessElementName: string((approval) => approval.step.name),
    ParticipationType: string(
      (approval) => (approval.rule === 'ALL' ? 'All' : 'One'),
      'Whether `One` of the approvers is enough, or `All` must agree.',
      'One',
    ),
    ApprovingTenantMemberIDs: nullable(
      member(
        '{boolean}',
        (approval) =>
          Object.fromEntries(
            approval.approvers.nodes.map(({ memberId, state }) => [memberId, state !== 'PENDING']),
          ),
        'The approvers by the id of their membership, with true for those who have acted.',
        { mem_01k91hbag6t3p4em8ge2h6cptf: false },
      ),
    ),
    Result: string((approval) => RESULTS[approval.state]),
    ItemType: string(({ item }) => (item.kind === 'TASK' ? 'Task' : 'Document')),
    ItemID: string(({ item }) => item.itemId),
    ItemCreatedOn: time(
      ({ item }) => item.createdAt,
      'When the item was created.',
      '2031-03-04T09:15:27.402Z',
    ),
    ...by<Approval>('ItemCreated', ({ item }) => item.createdBy),
    ItemCompletedOn: time(
      ({ run }) => run.completedAt,
      'When the item was decided; the zero time until then.',
    ),
    ...by<Approval>('ItemCompleted', ({ run }) => run.completedBy),
    ItemName: string(({ item }) => item.name, 'The name of the item.', 'permit-44.pdf'),
    ItemDescription: string(({ item }) => item.description, 'The description of the item.'),
    DocumentName: string(({ item }) => item.document?.name),
    DocumentCreatedOn: time(({ item }) => item.document?.createdAt),
    ...by<Approval>('DocumentCreated', ({ item }) => item.document?.createdBy),
    DocumentPageCount: integer(({ item }) => item.document?.pageCount),
    DocumentFileSize: integer(({ item }) => item.document?.size),
    DocumentClassificationID: string(() => ''),
    DocumentClassificationName: string(() => ''),
    DocumentPreviewMetadata: nullable(previews(({ item }) => item.document)),
    DocumentIsSigned: boolean(({ item }) => item.document?.signedAt != null),
    TaskDueOn: time(({ item }) => item.dueAt, 'When the item is due, if it is a task.'),
    ThumbnailUrl: string(({ item }) => item.document?.thumbnailUrl),
    OrganizationID: string((approval) => approval.organizationId),
    ProjectID: string((approval) => approval.project.id),
    ProjectName: string((approval) => approval.project.name),
    AssignmentUserEmail: string((approval) => approval.pendingApprover?.email),
    AssignmentUserName: string((approval) => approval.pendingApprover?.name),
    ReceivedFromEmail: string(
      (approval) => approval.receivedFrom.user.email,
      'The e-mail address of the user who decided the step before; for the first step, who started the process.',
      'tove.ahlgren@example.test',
    ),
    ReceivedFromName: string(
      (approval) => approval.receivedFrom.user.name,
      'The name of that user.',
      'Tove Ahlgren',
    ),
    ReceivedFromResult: string(
      (approval) => (approval.receivedFrom.result ? RESULTS[approval.receivedFrom.result] : ''),
      'The result of the step before, such as `Approved`; empty for the first step.',
    ),
    ItemAncestorIDs: strings(({ item }) => ancestorsOf(item)),
    ItemParentName: string(
      ({ item: { document, task } }) => document?.folder?.name ?? task?.parent?.name,
      'The name of its folder, or of its parent task; empty at the top.',
      'Permits',
    ),
    ItemPreviewMetadata: previews(
      ({ item }) => item.document,
      'The field values of a document, as maps of text; empty for a task.',
    ),
    Tags: strings(({ item }) => item.document?.tags ?? item.task?.tags ?? []),
    AssetItemTags: assetItemTags,
  },
  {
    ID: 'apr_01k9qvw4fabppncjjdqy791n5b',
    ProcessID: 'prc_01k9q716t6acft3qbcjc9fevs6',
    ProcessName: 'Release',
    ProcessElementID: 'pst_01k97rrp8ank5jg9kzqbasmfee',
    ProcessElementName: 'Check',
  },
);
