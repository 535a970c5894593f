import { id } from '../shape.ts';
import { DIRECTIONS, filtered, type List, node, ordered, organization, project } from './list.ts';

const TASK = 'name state dueAt createdBy { name }';

const TASK_ORDERS = ordered(['CREATED_AT', 'DUE_AT', 'NAME', 'PRIORITY']);

const TASK_FILTERS = filtered(
  ...[
    'states: [COMPLETED]',
    'states: [DENIED]',
    'states: [OPEN, DENIED]',
    'overdue: true',
    'unassigned: true',
  ],
  ...[
    'namePrefix: "check drawing 7"',
    'namePrefix: "nothing"',
    'assigneeEmail: "person2@example.test"',
    'tag: "none"',
  ],
  ...[
    `createdById: "${id('usr', 2)}"`,
    `stakeholderId: "${id('usr', 2)}"`,
    'dueAfter: "2027-06-01T00:00:00Z"',
  ],
  ...['dueBefore: "2026-01-01T00:00:00Z"'],
);

const APPROVAL_FILTERS = filtered(
  ...['state: APPROVED', 'state: DENIED', 'waitsForViewer: true', `requestedById: "${id('usr', 2)}"`],
  ...[`processId: "${id('prc', 1)}"`, `processId: "${id('prc', 2)}"`, `itemId: "${id('tsk', 7)}"`],
);

const APPROVAL = 'state createdAt item { name }';

export const LISTS_OF_WORK: List[] = [
  {
    name: 'tasks of a project',
    parent: project(1),
    field: 'tasks',
    select: TASK,
    as: ['owner', 'member', 'guest'],
    args: [...TASK_ORDERS, ...TASK_FILTERS],
  },
  {
    name: 'subtasks',
    parent: node('task', 'tsk', 1),
    field: 'subtasks',
    select: TASK,
    as: ['owner'],
    args: [...TASK_ORDERS, ...TASK_FILTERS.slice(0, 4)],
  },
  {
    name: 'my tasks',
    parent: 'viewer',
    field: 'tasks',
    select: TASK,
    as: ['owner', 'member', 'many'],
    args: [...TASK_ORDERS, ...TASK_FILTERS],
  },
  {
    name: 'approvals of a project',
    parent: project(1),
    field: 'approvals',
    select: APPROVAL,
    as: ['owner', 'member'],
    args: [...ordered(['CREATED_AT', 'ITEM_NAME']), ...APPROVAL_FILTERS],
  },
  {
    name: 'approvals of an organization',
    parent: organization,
    field: 'approvals',
    select: APPROVAL,
    as: ['owner', 'member', 'guest'],
    args: [...DIRECTIONS, ...APPROVAL_FILTERS],
  },
  {
    name: 'my approvals',
    parent: 'viewer',
    field: 'approvals',
    select: APPROVAL,
    as: ['owner', 'member', 'many'],
    args: [
      ...ordered(['CREATED_AT', 'ITEM_NAME']),
      ...filtered(`projectId: "${id('prj', 1)}"`, `processId: "${id('prc', 1)}"`),
    ],
  },
  {
    name: 'runs of a process',
    parent: node('process', 'prc', 1),
    field: 'runs',
    select: 'state createdAt',
    as: ['owner', 'member'],
    args: DIRECTIONS,
  },
  {
    name: 'processes',
    parent: project(1),
    field: 'processes',
    select: 'name',
    as: ['owner'],
    args: ordered(['CREATED_AT', 'NAME']),
  },
  {
    name: 'submissions of a form',
    parent: node('formTemplate', 'frm', 1),
    field: 'submissions',
    select: 'createdAt submittedBy { name } answers { values }',
    as: ['owner'],
    args: [...DIRECTIONS, 'filing: PENDING', 'filing: FAILED', 'filing: FILED'],
  },
  {
    name: 'forms of a project',
    parent: project(1),
    field: 'formTemplates',
    select: 'name',
    as: ['owner', 'member'],
    args: [...ordered(['CREATED_AT', 'NAME']), ...filtered('state: PRIVATE', 'namePrefix: "form 7"')],
  },
];
