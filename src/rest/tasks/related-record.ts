import type {
  TaskCommentRecordFragment,
  TaskDocumentRecordFragment,
} from '../../generated/operations/graphql.ts';
import {
  commentEvent,
  type Event,
  eventApplication,
  eventCreation,
  eventDetail,
  eventId,
  eventType,
} from '../comments/record.ts';
import { documentMembers } from '../documents/record.ts';
import {
  allNullable,
  boolean,
  integer,
  lower,
  pick,
  type RecordMembers,
  record,
  string,
  time,
} from '../shape/record.ts';

type TaskComment = TaskCommentRecordFragment & { taskId: string };

const taskEventRecord = record<TaskComment & Event>(
  'TaskEvent',
  'An event of a task. A comment is an event of `Type` `Comment`.',
  {
    ...eventId,
    TaskID: string((comment) => comment.taskId),
    ...eventCreation,
    ModifiedOn: time(() => null),
    ...eventType,
    TaskRevision: integer(
      ({ taskRevision }) => (taskRevision ?? 1) - 1,
      'The revision of the task at that time.',
      1,
    ),
    ...eventDetail,
    ...eventApplication,
  },
  { ID: 'evt_01k9rb0j3fgew6nbqk95yr7rsj', Type: 'Comment' },
);

export const taskCommentRecord = (taskId: string) => (comment: TaskCommentRecordFragment) =>
  taskEventRecord(commentEvent({ ...comment, taskId }));

type TaskDocument = TaskDocumentRecordFragment & { taskId: string };

const members: RecordMembers<TaskDocument> = {
  ...pick<TaskDocument>(documentMembers, 'ID'),
  TaskID: string((document) => document.taskId),
  ...pick<TaskDocument>(
    documentMembers,
    'DocumentID',
    'ThumbnailUrl',
    'OrganizationID',
    'ProjectID',
    'ProjectName',
    'ProjectAccessType',
    'ProjectAccess',
    'DocumentFolderID',
    'DocumentFolderPath',
    'DocumentFolderHexColor',
    'CreatedOn',
    'CreatedByUserID',
    'CreatedByUserEmail',
    'CreatedByUserName',
    'ModifiedOn',
    'ModifiedByUserID',
    'ModifiedByUserEmail',
    'ModifiedByUserName',
    'Name',
  ),
  NameLower: lower((document) => document.name),
  ...pick<TaskDocument>(documentMembers, 'Origin'),
  IsActive: boolean((document) => document.state === 'ACTIVE'),
  ...pick<TaskDocument>(
    documentMembers,
    'IsMarkedForPurge',
    'IsSigned',
    'SignatureSessionIsActive',
    'HasSinglePageImages',
    'SignaturesCompletedOn',
  ),
  PurgeMarkedOn: time((document) => document.recycledAt),
  FailedBuildAttempts: boolean(() => false, 'Always false.'),
  LastError: string(() => '', 'Always empty.'),
  ...pick<TaskDocument>(documentMembers, 'PageCount', 'FileSize'),
  BucketName: string(() => ''),
  SourceObjectName: string(() => '', 'Always empty.'),
  ThumbnailObjectName: string(() => '', 'Always empty.'),
  ...pick<TaskDocument>(
    documentMembers,
    'PreviewMetadata',
    'AssignmentUserEmails',
    'Tags',
    'AssetItemTags',
    'Revision',
  ),
  RevisionCreatedOn: time(
    (document) => document.currentRevision.createdAt,
    'When this revision was created.',
    '2031-03-04T09:15:27.402Z',
  ),
  ...pick<TaskDocument>(
    documentMembers,
    'FormSubmissionID',
    'PaperSize',
    'PaperOrientation',
    'PaperMarginLeft',
    'PaperMarginRight',
    'PaperMarginTop',
    'PaperMarginBottom',
    'SyncDocumentID',
    'SyncProjectName',
    'GroupID',
  ),
};

/** A document linked to a task. Names of buckets and objects are not disclosed. */
export const taskDocumentRecord = record<TaskDocument>(
  'TaskDocument',
  'A linked document of a task.',
  {
    ...allNullable(members),
    ...pick(
      documentMembers,
      'PurgeDate',
      'ApprovalID',
      'ApprovalCreatedOn',
      'DocumentSubscriptionID',
      'DocumentSubscriptionCreatedOn',
      'ProcessName',
      'ProcessElementName',
    ),
  },
  { ID: 'doc_01k9nztfxdmdms8g8s6whatht9', Name: 'permit-44.pdf' },
);

export const taskRelatedRecords = [taskEventRecord, taskDocumentRecord];
