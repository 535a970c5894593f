import type {
  DurationUnit,
  GetTaskStatisticsQuery,
  TaskRecordFragment,
  TaskState,
} from '../../generated/operations/graphql.ts';
import { documentRecord, NO_DOCUMENT } from '../documents/record.ts';
import { assetItemTags } from '../fields/asset-item-tag.ts';
import { accessType, projectAccess } from '../projects/record.ts';
import { by, integer, lower, many, member, one, record, string, strings, time } from '../shape/record.ts';

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

/** The interval of a duration; empty without one. */
export const intervalOf = (duration: TaskRecordFragment['duration']) =>
  duration ? INTERVALS[duration.unit] : '';

type Task = TaskRecordFragment;

const stakeholderRecord = record<Task['stakeholders'][number]>(
  'Stakeholder',
  'A member who is kept informed of a task.',
  {
    UserID: string((person) => person.id),
    UserName: string((person) => person.name),
    UserEmail: string((person) => person.email),
  },
);

const subtaskRecord = record<Task['subtasks']['nodes'][number]>(
  'SubTask',
  'A part of a task.',
  {
    ID: string((subtask) => subtask.id),
    Name: string((subtask) => subtask.name),
    Result: string(resultOf),
  },
  { ID: 'tsk_01k9vpvr0qq4e5k8ssvcw4xt7t', Name: 'Compare the stamps' },
);

/** REST v1 counts revisions from 0. There are no milestones, boards and assets. */
export const taskRecord = record<Task>(
  'Task',
  'A task.',
  {
    ID: string((task) => task.id),
    OrganizationID: string((task) => task.organizationId),
    ProjectID: string((task) => task.project.id),
    ProjectName: string((task) => task.project.name),
    ProjectAccessType: string((task) => accessType(task.project.access)),
    CreatedOn: time((task) => task.createdAt),
    ModifiedOn: time((task) => task.modifiedAt),
    ...by<Task>('Created', (task) => task.createdBy),
    CompletedOn: time((task) => task.completedAt),
    ...by<Task>('Completed', (task) => task.completedBy),
    ...by<Task>('Modified', (task) => task.modifiedBy),
    Revision: integer((task) => task.revisionNumber - 1),
    Result: string(resultOf),
    Name: string((task) => task.name),
    NameLower: lower((task) => task.name),
    Description: string((task) => task.description),
    DescriptionHtml: string((task) => task.descriptionHtml),
    DescriptionRichTextJson: string((task) => task.descriptionRichText),
    AssignmentUserEmail: string((task) => task.assigneeEmail),
    AssignmentUserName: string((task) => task.assignee?.name),
    AssignmentUserNameLower: lower((task) => task.assignee?.name),
    DueOn: time((task) => task.dueAt),
    DueOnModifiedOn: time(
      (task) => task.dueChangedAt,
      'When DueOn was last changed; the zero time if never.',
    ),
    PrimaryDocument: member(
      documentRecord.shapeName,
      ({
        documents: {
          nodes: [primary],
        },
      }) => (primary ? documentRecord(primary) : NO_DOCUMENT),
    ),
    OtherDocuments: many(documentRecord, (task) => task.documents.nodes.slice(1)),
    ParentTaskID: string((task) => task.parent?.id),
    ProcessID: string((task) => task.pendingApproval?.process.id),
    ProcessName: string((task) => task.pendingApproval?.process.name),
    ProcessNameLower: lower((task) => task.pendingApproval?.process.name),
    ProcessElementID: string((task) => task.pendingApproval?.step.id),
    ProcessElementName: string((task) => task.pendingApproval?.step.name),
    ProcessElementNameLower: lower((task) => task.pendingApproval?.step.name),
    Reminder_7_Day: time(
      (task) => task.sevenDayReminderAt,
      'Seven days before DueOn; the zero time if there is no due date.',
    ),
    Reminder_3_Day: time((task) => task.threeDayReminderAt, 'Three days before DueOn.'),
    Reminder_1_Day: time((task) => task.oneDayReminderAt, 'One day before DueOn.'),
    ProjectAccess: one(projectAccess, (task) => task.project.access),
    Priority: integer((task) => task.priority),
    DurationMultiplier: integer(
      (task) => task.duration?.amount,
      'The estimated duration, in DurationInterval; 0 if there is none.',
      2,
    ),
    DurationInterval: string(
      (task) => intervalOf(task.duration),
      'The unit of the duration: `Minute`, `Hour`, `Day` (8 hours) or `Week` (5 days); empty without one.',
      'Day',
    ),
    Tags: strings((task) => task.tags),
    Stakeholders: many(stakeholderRecord, (task) => task.stakeholders, 'The members who are kept informed.'),
    SubTasks: many(
      subtaskRecord,
      (task) => task.subtasks.nodes,
      'Its parts that the caller may see, oldest first; at most 100.',
    ),
    AssetItemTagAssetItemIDs: strings(() => []),
    AssetItemTags: assetItemTags,
    TaskMilestoneID: string(() => '', 'Always empty.'),
    TaskMilestoneName: string(() => ''),
    TaskMilestoneNameLower: string(() => '', 'Always empty.'),
    TaskStateID: string(() => '', 'Always empty.'),
    TaskStateName: string((task) => STATE_NAMES[task.state]),
    TaskStateNameLower: lower((task) => STATE_NAMES[task.state]),
  },
  { ID: 'tsk_01k9vpvr0qq4e5k8ssvcw4xt7t', Name: 'Check the permit' },
);

type Statistics = NonNullable<GetTaskStatisticsQuery['project']>['taskStatistics'];

export const taskStatsRecord = record<Statistics>(
  'TaskStats',
  'Numbers of tasks. Each is on time, past due or unscheduled.',
  {
    TotalInFilter: integer((statistics) => statistics.total, 'All tasks that match.'),
    TotalOnTime: integer(
      (statistics) => statistics.onTime,
      'Open and not due yet, or completed or denied by the due date.',
    ),
    TotalPastDue: integer(
      (statistics) => statistics.pastDue,
      'Open after the due date, or completed or denied after it.',
    ),
    TotalUnscheduled: integer((statistics) => statistics.unscheduled, 'Without a due date.'),
    TotalDurationInMinutes: integer(
      (statistics) => statistics.durationMinutes,
      'The sum of the estimated durations in minutes; a day has 8 hours, a week 5 days.',
    ),
    TotalDurationAsString: string(
      (statistics) => durationText(statistics.durationMinutes),
      'The same in hours and minutes.',
    ),
  },
  {
    TotalInFilter: 6,
    TotalOnTime: 3,
    TotalPastDue: 1,
    TotalUnscheduled: 2,
    TotalDurationInMinutes: 150,
    TotalDurationAsString: '2h 30m',
  },
);

/** Hours and minutes without parts that are zero: `2h 30m`; `0m` for none. */
function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const parts = [hours > 0 && `${hours}h`, (minutes % 60 > 0 || hours === 0) && `${minutes % 60}m`];
  return parts.filter(Boolean).join(' ');
}

export const taskRecords = [taskRecord, stakeholderRecord, subtaskRecord, taskStatsRecord];
