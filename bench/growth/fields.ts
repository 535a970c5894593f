import type { PersonName } from './lists/list.ts';
import { id } from './shape.ts';
import type { Operation } from './site.ts';

const organization = `organization(id: "${id('org', 1)}")`;
const project = `project(id: "${id('prj', 1)}")`;

/** What is read without a list: numbers that are derived, and what every request needs. */
const FIELDS: [name: string, as: PersonName[], query: string][] = [
  ['who one is', ['owner', 'many'], 'viewer { user { name } }'],
  ['a task by its id', ['many'], `node(id: "${id('tsk', 2_000_002)}") { id }`],
  ['number of unread notifications', ['owner', 'member'], 'viewer { unreadNotificationCount }'],
  ['address book', ['owner', 'member', 'many'], 'viewer { addressBook { email } }'],
  [
    'work in an organization',
    ['owner', 'member', 'guest', 'many'],
    `${organization} { viewerWork { openTasks pendingApprovals } }`,
  ],
  ['work in a project', ['owner', 'member'], `${project} { viewerWork { openTasks pendingApprovals } }`],
  ['numbers of members', ['owner'], `${organization} { memberCounts { readOnly writing } }`],
  ['use of storage', ['owner'], `${organization} { storageUse { bytes } }`],
  [
    'statistics of tasks',
    ['owner', 'member'],
    `${project} { taskStatistics { onTime pastDue total unscheduled } }`,
  ],
  [
    'pages of a project',
    ['owner', 'member'],
    `project(id: "${id('prj', 2)}") { pageCount textProgress { ready } }`,
  ],
  [
    'a document',
    ['owner', 'member'],
    `document(id: "${id('doc', 1)}") { name folder { name } viewerFollows }`,
  ],
  [
    'a folder with its path',
    ['owner', 'member'],
    `folder(id: "${id('fld', 15)}") { name depth path inheritedAssigneeEmails }`,
  ],
  ['an approval', ['owner'], `approval(id: "${id('apr', 4)}") { state waitsForViewer run { state } }`],
];

export const fieldOperations: Operation[] = FIELDS.flatMap(([name, people, query]) =>
  people.map((as) => ({
    name: `${name} (${as})`,
    as,
    prepare: async () => () => ({ query: `{ ${query} }` }),
  })),
);
