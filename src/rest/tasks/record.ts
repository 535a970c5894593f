import type {
  TaskCommentRecordFragment,
  TaskDocumentRecordFragment,
  TaskRecordFragment,
} from '../../generated/operations/graphql.ts';
import { documentRecord } from '../documents/record.ts';
import { accessType } from '../wire/common-records.ts';
import { by, text, through, time, ZERO_TIME } from '../wire/wire.ts';

/** The strict client wants a PrimaryDocument of every task (contract, Task): this one when it has none. */
const NO_DOCUMENT = {
  ...documentRecord({
    id: '',
    organizationId: '',
    project: { id: '', name: '', access: 'OPEN' },
    folder: null,
    assigneeEmails: [],
    groupId: null,
    createdAt: ZERO_TIME,
    createdBy: { id: '', name: '', email: '' },
    modifiedAt: null,
    modifiedBy: null,
    purgeAt: null,
    name: '',
    state: 'ACTIVE',
    origin: 'UPLOAD',
    pageCount: null,
    size: 0,
    thumbnailUrl: null,
    signedAt: null,
    revisionNumber: 1,
    pendingApproval: null,
    signatureSession: null,
  }),
  ProjectAccessType: '',
  Origin: '',
};

/** The wire has no state: an outcome of `Denied` is what tells a denied task from a completed one. */
export function resultOf({ state, result }: Pick<TaskRecordFragment, 'state' | 'result'>): string {
  if (state === 'OPEN') return '';
  return state === 'DENIED' ? 'Denied' : (result ?? 'Completed');
}

/** Task. Revisions count from 0 on this wire. */
export const taskRecord = (task: TaskRecordFragment) => {
  const [primary, ...others] = task.documents.nodes.map(documentRecord);
  return {
    ID: task.id,
    OrganizationID: task.organizationId,
    ProjectID: task.project.id,
    ProjectName: task.project.name,
    ProjectAccessType: accessType(task.project.access),
    CreatedOn: task.createdAt,
    ...by('Created', task.createdBy),
    ModifiedOn: time(task.modifiedAt),
    ...by('Modified', task.modifiedBy),
    CompletedOn: time(task.completedAt),
    ...by('Completed', task.completedBy),
    Revision: task.revisionNumber - 1,
    Result: resultOf(task),
    Name: task.name,
    NameLower: task.name.toLowerCase(),
    Description: task.description,
    DescriptionHtml: task.descriptionHtml,
    DescriptionRichTextJson: task.descriptionRichText,
    AssignmentUserEmail: text(task.assigneeEmail),
    AssignmentUserName: text(task.assignee?.name),
    AssignmentUserNameLower: text(task.assignee?.name).toLowerCase(),
    DueOn: time(task.dueAt),
    DueOnModifiedOn: time(task.dueChangedAt),
    PrimaryDocument: primary ?? NO_DOCUMENT,
    OtherDocuments: others,
    ParentTaskID: text(task.parent?.id),
    ProcessID: '',
    ProcessName: '',
    ProcessNameLower: '',
    ProcessElementID: '',
    ProcessElementName: '',
    ProcessElementNameLower: '',
    Reminder_7_Day: time(task.sevenDayReminderAt),
    Reminder_3_Day: time(task.threeDayReminderAt),
    Reminder_1_Day: time(task.oneDayReminderAt),
  };
};

/** TaskEvent; a comment is an event whose details hold its text. */
export const taskCommentRecord = (taskId: string) => (comment: TaskCommentRecordFragment) => ({
  ID: comment.id,
  TaskID: taskId,
  CreatedOn: comment.createdAt,
  ...by('Created', comment.createdBy),
  ModifiedOn: ZERO_TIME,
  Type: 'Comment',
  TaskRevision: (comment.taskRevision ?? 1) - 1,
  DetailJson: JSON.stringify({ Text: comment.text }),
  ...through(comment.application),
});

/** TaskDocument: a document as a task shows it. Where its bytes lie is nobody's business. */
export const taskDocumentRecord = (taskId: string) => (document: TaskDocumentRecordFragment) => ({
  ...documentRecord(document),
  TaskID: taskId,
  DocumentFolderHexColor: text(document.folder?.hexColor),
  ...by('Created', document.createdBy),
  ...by('Modified', document.modifiedBy),
  NameLower: document.name.toLowerCase(),
  IsActive: document.state === 'ACTIVE',
  PurgeMarkedOn: time(document.recycledAt),
  FailedBuildAttempts: false,
  LastError: '',
  BucketName: '',
  SourceObjectName: '',
  ThumbnailObjectName: '',
  RevisionCreatedOn: document.currentRevision.createdAt,
  FormSubmissionID: text(document.groupId),
});
