import { builder } from '../kernel/builder.ts';
import { defaultOrder, orderInput } from '../kernel/connection.ts';

export const TaskState = builder.enumType('TaskState', {
  description: 'The state of a task.',
  values: {
    OPEN: { description: 'To be done.' },
    COMPLETED: { description: 'Done.' },
    DENIED: { description: 'Ended without being done.' },
  } as const,
});

const TaskFilter = builder.inputType('TaskFilter', {
  description: 'Conditions for the tasks of a list; all have to be met.',
  fields: (t) => ({
    states: t.field({ type: [TaskState], description: 'In one of these states.' }),
    assigneeEmail: t.string({ description: 'Assigned to this e-mail address.' }),
    unassigned: t.boolean({ description: 'With true: assigned to nobody.' }),
    overdue: t.boolean({
      description: 'With true: open, and the due time has passed. With false: all others.',
    }),
    dueAfter: t.field({ type: 'DateTime', description: 'Due at this time or later.' }),
    dueBefore: t.field({ type: 'DateTime', description: 'Due before this time.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    tag: t.string({ description: 'With this tag, ignoring case.' }),
    stakeholderId: t.id({ description: 'With this person as a stakeholder.' }),
  }),
});

export const TaskOrder = orderInput('Task', {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
  DUE_AT: { description: 'When it is due; tasks without a due time count as later than all others.' },
  PRIORITY: { description: 'The priority; with DESC, the most urgent tasks come first.' },
});

/** Options of the arguments of lists of tasks. */
export const TASK_FILTER = { type: TaskFilter, description: 'Which tasks; all if omitted.' };
export const TASK_ORDER = { type: TaskOrder, description: 'The order; newest first by default.' };

export const newestFirst = defaultOrder({ field: 'CREATED_AT', direction: 'DESC' });
