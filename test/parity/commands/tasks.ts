import fc from 'fast-check';
import { type AnyCommand, command, maybe, name, ref, refs, several, who } from '../command.ts';
import type { At, Role, Selection } from '../twin.ts';

type Who = Role | 'nobody';

interface Content {
  description?: string;
  /** null removes it. */
  to?: Who | null;
  due?: string | null;
  parent?: Selection;
}

const content = fc.record<Content>({
  description: maybe(fc.constantFrom('', 'All of it', 'x'.repeat(20_001))),
  to: maybe(fc.option(who as fc.Arbitrary<Who>)),
  due: maybe(fc.constantFrom(null, '2041-03-04T09:15:27.000Z', '2042-03-04T09:15:27.000Z', 'tomorrow')),
  parent: maybe(ref),
});

const inGraph = ({ description, to, due, parent }: Content, at: At) => ({
  description,
  assigneeEmail: to && at.email(to),
  dueAt: due,
  parentId: at.maybe('Task', parent),
});

/** Empty texts and the zero time remove a value; an empty parent removes nothing (src/rest/tasks/routes.ts). */
const inRest = ({ description, to, due, parent }: Content, at: At) => ({
  Description: description,
  AssignmentUserEmail: to === null ? '' : to && at.email(to),
  DueOn: due === null ? '0001-01-01T00:00:00Z' : due,
  ParentTaskID: at.maybe('Task', parent) ?? '',
});

const closing = fc.record({ task: ref, result: maybe(fc.constantFrom('Looked at', ' spaced ', '')) });

export const taskCommands: AnyCommand[] = [
  command<({ name: string; documents: Selection[] } & Content)[]>({
    mutation: 'createTasks',
    row: 'createTasks',
    weight: 6,
    sample: [
      { name: 'First', documents: [0], to: 'member', due: '2041-03-04T09:15:27.000Z' },
      { name: 'Second', documents: [] },
    ],
    args: several(
      fc
        .record({ name, documents: fc.array(ref, { maxLength: 2 }), content })
        .map(({ content: details, ...each }) => ({ ...each, ...details })),
    ),
    graph: (tasks, at) => ({
      tasks: tasks.map((each) => ({
        name: each.name,
        documentIds: at.ids('Document', each.documents),
        ...inGraph(each, at),
      })),
    }),
    rest: (tasks, at) => ({
      body: tasks.map((each) => {
        const [first = '', ...others] = at.ids('Document', each.documents);
        return {
          Name: each.name,
          PrimaryDocument: { DocumentID: first },
          OtherDocuments: others.map((DocumentID) => ({ DocumentID })),
          ...inRest(each, at),
        };
      }),
    }),
  }),
  command<{ task: Selection; name?: string; content: Content }>({
    mutation: 'updateTask',
    row: 'updateTask',
    sample: { task: 0, name: 'Renamed', content: { description: 'More', to: null, due: null, parent: 1 } },
    args: fc.record({ task: ref, name: maybe(name), content }),
    graph: ({ task, name: newName, content: more }, at) => ({
      taskId: at.id('Task', task),
      name: newName,
      ...inGraph(more, at),
    }),
    rest: ({ task, name: newName, content: more }, at) => ({
      path: { taskId: at.id('Task', task) },
      body: { Name: newName, ...inRest(more, at) },
    }),
  }),
  command<{ task: Selection; to: Who | null }>({
    mutation: 'assignTask',
    row: 'assignTask',
    sample: { task: 0, to: 'member' },
    args: fc.record({ task: ref, to: fc.option(who as fc.Arbitrary<Who>) }),
    graph: ({ task, to }, at) => ({ taskId: at.id('Task', task), assigneeEmail: to && at.email(to) }),
    rest: ({ task, to }, at) => ({
      path: { taskId: at.id('Task', task) },
      body: { AssignmentUserEmail: to ? at.email(to) : '' },
    }),
  }),
  command<{ task: Selection; documents: Selection[] }>({
    mutation: 'linkTaskDocuments',
    row: 'linkTaskDocuments',
    sample: { task: 0, documents: [0] },
    args: fc.record({ task: ref, documents: refs }),
    graph: ({ task, documents }, at) => ({
      taskId: at.id('Task', task),
      documentIds: at.ids('Document', documents),
    }),
    rest: ({ task, documents }, at) => ({
      path: { taskId: at.id('Task', task) },
      body: at.ids('Document', documents).map((DocumentID) => ({ DocumentID })),
    }),
  }),
  command<{ task: Selection; texts: string[] }>({
    mutation: 'createTaskComments',
    row: 'createTaskComments',
    sample: { task: 0, texts: ['said'] },
    args: fc.record({ task: ref, texts: several(name) }),
    graph: ({ task, texts }, at) => ({ taskId: at.id('Task', task), texts }),
    rest: ({ task, texts }, at) => ({ path: { taskId: at.id('Task', task) }, body: { Comments: texts } }),
  }),
  /** REST v1 sends an empty Result for none. */
  command<{ task: Selection; result?: string }>({
    mutation: 'completeTask',
    row: 'completeTask',
    weight: 5,
    sample: { task: 0, result: 'Looked at' },
    args: closing,
    graph: ({ task, result }, at) => ({ taskId: at.id('Task', task), result: result || undefined }),
    rest: ({ task, result }, at) => ({
      path: { taskId: at.id('Task', task) },
      body: result === undefined ? undefined : { Result: result },
    }),
  }),
  command<Selection>({
    mutation: 'reopenTask',
    weight: 5,
    sample: 0,
    args: ref,
    graph: (task, at) => ({ taskId: at.id('Task', task) }),
  }),
  /** REST has no path to deny: the value of Result does it (src/rest/tasks/routes.ts). */
  command<Selection>({
    mutation: 'denyTask',
    row: 'completeTask',
    sample: 0,
    args: ref,
    graph: (task, at) => ({ taskId: at.id('Task', task) }),
    rest: (task, at) => ({ path: { taskId: at.id('Task', task) }, body: { Result: 'Denied' } }),
  }),
];

/** The ids of approvals, or of their items. */
const decision = (mutation: string, weight: number) =>
  command<{ ids: Selection[]; items: boolean; comment?: string }>({
    mutation,
    row: mutation,
    weight,
    sample: { ids: [0], items: false, comment: 'As agreed' },
    args: fc.record({
      ids: refs,
      items: fc.boolean(),
      comment: maybe(fc.constantFrom('Yes', 'x'.repeat(2_001))),
    }),
    graph: ({ ids, items, comment }, at) => ({ ids: at.ids(items ? 'Document' : 'Approval', ids), comment }),
    rest: ({ ids, items, comment }, at) => ({
      body: { IDs: at.ids(items ? 'Document' : 'Approval', ids), Comment: comment },
    }),
  });

const start: AnyCommand = command<{ process: Selection; documents: Selection[]; tasks: Selection[] }>({
  mutation: 'startProcess',
  weight: 6,
  sample: { process: 0, documents: [0], tasks: [] },
  args: fc.record({ process: ref, documents: refs, tasks: fc.array(ref, { maxLength: 1 }) }),
  graph: ({ process, documents, tasks }, at) => ({
    processId: at.id('Process', process),
    itemIds: [...at.ids('Document', documents), ...at.ids('Task', tasks)],
  }),
});

const rule = fc.constantFrom('ONE', 'ALL');
const approvers = fc.constantFrom<Role[]>(['owner'], ['owner', 'member'], ['member', 'owner'], ['guest']);

export const approvalCommands: AnyCommand[] = [
  command<{ rule: string; approvers: Role[] }[]>({
    mutation: 'createProcesses',
    weight: 2,
    sample: [{ rule: 'ALL', approvers: ['owner'] }],
    args: fc.array(fc.record({ rule, approvers }), { minLength: 1, maxLength: 2 }),
    graph: (process, at) => ({
      processes: [
        {
          name: 'Release',
          steps: process.map((each, index) => ({
            name: `Step ${index}`,
            rule: each.rule,
            approverIds: each.approvers.map((part) => at.userId(part)),
          })),
        },
      ],
    }),
  }),
  start,
  decision('approveApprovals', 5),
  { ...start, weight: 0 },
  decision('declineApprovals', 3),
  { ...start, weight: 0 },
  decision('denyApprovals', 3),
];
