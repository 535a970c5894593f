import type {
  DurationUnit,
  GetTaskStatisticsQuery,
  TaskCommentRecordFragment,
  TaskDocumentRecordFragment,
  TaskRecordFragment,
  TaskState,
} from '../../generated/operations/graphql.ts';
import { commentMembers } from '../comments/record.ts';
import { documentRecord, NO_DOCUMENT } from '../documents/record.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import { by, text, time, ZERO_TIME } from '../wire/values.ts';

/** The Result of a task. REST v1 has no state: a denied task is one with the result `Denied`. */
export function resultOf({ state, result }: Pick<TaskRecordFragment, 'state' | 'result'>): string {
  if (state === 'OPEN') return '';
  return state === 'DENIED' ? 'Denied' : (result ?? 'Completed');
}

/** The names of states, which stand in for those of boards. */
export const STATE_NAMES: Record<TaskState, string> = {
  OPEN: 'Open',
  COMPLETED: 'Completed',
  DENIED: 'Denied',
};

export const INTERVALS: Record<DurationUnit, string> = {
  MINUTE: 'Minute',
  HOUR: 'Hour',
  DAY: 'Day',
  WEEK: 'Week',
};

/** The multiplier and the interval of a duration; 0 and empty without one. */
export const durationMembers = (duration: TaskRecordFragment['duration']) => ({
  multiplier: duration?.amount ?? 0,
  interval: duration ? INTERVALS[duration.unit] : '',
});

/** The details of a task that came later; there are no milestones, boards and assets. */
function detailMembers(task: TaskRecordFragment) {
  const { multiplier, interval } = durationMembers(task.duration);
  return {
    ProjectAccess: projectAccess(task.project.access),
    Priority: task.priority,
    DurationMultiplier: multiplier,
    DurationInterval: interval,
    Tags: task.tags,
    Stakeholders: task.stakeholders.map(({ id, name, email }) => ({
      UserID: id,
      UserName: name,
      UserEmail: email,
    })),
    SubTasks: task.subtasks.nodes.map((each) => ({ ID: each.id, Name: each.name, Result: resultOf(each) })),
    AssetItemTagAssetItemIDs: [] as string[],
    AssetItemTags: [] as object[],
    TaskMilestoneID: '',
    TaskMilestoneName: '',
    TaskMilestoneNameLower: '',
    TaskStateID: '',
    TaskStateName: STATE_NAMES[task.state],
    TaskStateNameLower: STATE_NAMES[task.state].toLowerCase(),
  };
}

/** The process that requests the approval of a task, and its step. */
const processMembers = (approval: TaskRecordFragment['pendingApproval']) => ({
  ProcessID: text(approval?.process.id),
  ProcessName: text(approval?.process.name),
  ProcessNameLower: text(approval?.process.name).toLowerCase(),
  ProcessElementID: text(approval?.step.id),
  ProcessElementName: text(approval?.step.name),
  ProcessElementNameLower: text(approval?.step.name).toLowerCase(),
});

/** Task. REST v1 counts revisions from 0. */
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
    ...processMembers(task.pendingApproval),
    Reminder_7_Day: time(task.sevenDayReminderAt),
    Reminder_3_Day: time(task.threeDayReminderAt),
    Reminder_1_Day: time(task.oneDayReminderAt),
    ...detailMembers(task),
  };
};

type Statistics = NonNullable<GetTaskStatisticsQuery['project']>['taskStatistics'];

/** TaskStats. */
export const taskStatsRecord = (statistics: Statistics) => ({
  TotalInFilter: statistics.total,
  TotalOnTime: statistics.onTime,
  TotalPastDue: statistics.pastDue,
  TotalUnscheduled: statistics.unscheduled,
  TotalDurationInMinutes: statistics.durationMinutes,
  TotalDurationAsString: durationText(statistics.durationMinutes),
});

/** Hours and minutes without parts that are zero: `2h 30m`; `0m` for none. */
function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const parts = [hours > 0 && `${hours}h`, (minutes % 60 > 0 || hours === 0) && `${minutes % 60}m`];
  return parts.filter(Boolean).join(' ');
}

/** TaskEvent for a comment, which has its text in the details. */
export const taskCommentRecord = (taskId: string) => (comment: TaskCommentRecordFragment) => ({
  ...commentMembers(comment),
  TaskID: taskId,
  ModifiedOn: ZERO_TIME,
  TaskRevision: (comment.taskRevision ?? 1) - 1,
});

/** TaskDocument: a document linked to a task. Names of buckets and objects are not disclosed. */
export const taskDocumentRecord = (taskId: string) => (document: TaskDocumentRecordFragment) => ({
  ...documentRecord(document),
  TaskID: taskId,
  NameLower: document.name.toLowerCase(),
  IsActive: document.state === 'ACTIVE',
  PurgeMarkedOn: time(document.recycledAt),
  FailedBuildAttempts: false,
  LastError: '',
  BucketName: '',
  SourceObjectName: '',
  ThumbnailObjectName: '',
  RevisionCreatedOn: document.currentRevision.createdAt,
});
