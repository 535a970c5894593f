import { shapesOf } from '../../../shape/shape.ts';
import { taskInputs } from '../../../tasks/input.ts';
import type { Area, Operation } from '../contract.ts';

const states: Operation['query'] = {
  activeOnly: 'boolean Only open tasks.',
  completedOnly: 'boolean Only completed tasks.',
  deniedOnly: 'boolean Only denied tasks.',
};

export const taskArea: Area = {
  title: 'Tasks',
  about: 'Work to do. A task is open until it is completed or denied.',
  inputs: shapesOf(taskInputs),
  operations: {
    listTasks: {
      summary: 'List the tasks of a project',
      query: {
        ...states,
        filter: 'string Refused with 400 unless it is empty, since its criteria are not known.',
      },
      answer: { key: 'Tasks', of: 'Task' },
    },
    listCompletedTasks: {
      summary: 'List the completed tasks of a project',
      answer: { key: 'Tasks', of: 'Task' },
    },
    listDeniedTasks: {
      summary: 'List the denied tasks of a project',
      answer: { key: 'Tasks', of: 'Task' },
    },
    getTaskStatistics: {
      summary: 'Count the tasks of a project',
      details: 'Only tasks that the caller may see are counted.',
      query: { ...states },
      answer: 'TaskStats',
    },
    createTasks: { summary: 'Create tasks', body: 'TaskInput[]', answer: 'Task[]' },
    listProjectTaskSubscriptions: {
      summary: 'List the tasks of a project that the caller follows',
      answer: { key: 'TaskSubscriptions', of: 'TaskSubscription' },
    },
    getTask: {
      summary: 'Get a task',
      answer: 'Task',
    },
    updateTask: {
      summary: 'Update a task',
      body: 'TaskPart',
      answer: 'Task',
    },
    assignTask: { summary: 'Assign a task', body: 'Assignee', answer: 'Task' },
    completeTask: {
      summary: 'Complete or deny a task',
      details: 'The body may be omitted. If the task is not open, the status is 409.',
      body: 'Completion?',
      answer: 'Task',
    },
    listTaskComments: {
      summary: 'List the comments on a task',
      query: { sortDescending: 'boolean Newest first (default); false for oldest first.' },
      answer: { key: 'TaskEvents', of: 'TaskEvent', events: true },
    },
    createTaskComments: { summary: 'Comment on a task', body: 'Comments', answer: 'TaskEvent[]' },
    linkTaskDocuments: {
      summary: 'Link documents to a task',
      details:
        'The first document becomes the PrimaryDocument. Linking a document again changes nothing. `{"IDs": […]}` is accepted too.',
      body: 'LinkedDocument[]|IDs',
      answer: 'TaskDocument[]',
    },
  },
};
