import type { Area, Shape } from '../contract.ts';

const content: Shape['members'] = {
  Description: 'string',
  DescriptionHtml: 'string',
  DescriptionRichTextJson: 'string',
  AssignmentUserEmail: 'string',
  DueOn: 'string When it is due; empty or the zero time for never.',
  ParentTaskID: 'string',
};

export const taskArea: Area = {
  title: 'Tasks',
  about: 'Things to do: open until they are completed or denied.',
  inputs: {
    LinkedDocument: {
      about: 'A document to link. Of a whole record, the id is read.',
      members: { DocumentID: 'string', ID: 'string' },
      example: { DocumentID: 'doc_01k9nztfxdmdms8g8s6whatht9' },
    },
    TaskInput: {
      about: 'A new task. A whole Task may be sent; what the server owns is not read.',
      members: {
        Name: 'string!',
        ...content,
        PrimaryDocument: 'LinkedDocument',
        OtherDocuments: 'LinkedDocument[]',
      },
      example: {
        Name: 'Check the permit',
        AssignmentUserEmail: 'tove.ahlgren@example.test',
        DueOn: '2031-03-11T17:00:00Z',
      },
    },
    TaskPart: {
      about: 'What changes of a task; what is left out stays as it is.',
      members: { Name: 'string', ...content },
      example: { DueOn: '2031-03-18T17:00:00Z' },
    },
    Assignee: {
      about: 'Who shall do it.',
      members: { AssignmentUserEmail: 'string! The e-mail address; empty for nobody.' },
      example: { AssignmentUserEmail: 'tove.ahlgren@example.test' },
    },
    Completion: {
      about: 'How it ended.',
      members: {
        Result: 'string The outcome, `Completed` when it is left out; with `Denied` the task is denied.',
      },
      example: { Result: 'Completed' },
    },
  },
  operations: {
    listTasks: {
      summary: 'List the tasks of a project',
      query: {
        activeOnly: 'boolean Those that are open.',
        completedOnly: 'boolean Those that are completed.',
        deniedOnly: 'boolean Those that are denied.',
      },
      answer: { key: 'Tasks', of: 'Task' },
    },
    createTasks: { summary: 'Create tasks', body: 'TaskInput[]', answer: 'Task[]' },
    getTask: {
      summary: 'Get a task',
      query: { taskId: 'string Accepted, and not read.' },
      answer: 'Task',
    },
    updateTask: {
      summary: 'Update a task',
      query: { taskId: 'string Accepted, and not read.' },
      body: 'TaskPart',
      answer: 'Task',
    },
    assignTask: { summary: 'Assign a task', body: 'Assignee', answer: 'Task' },
    completeTask: {
      summary: 'Complete or deny a task',
      details: 'The body may be left out. A task that is not open answers 409.',
      body: 'Completion?',
      answer: 'Task',
    },
    listTaskComments: {
      summary: 'List the comments on a task',
      query: { sortDescending: 'boolean Newest first, unless it is false.' },
      answer: { key: 'TaskEvents', of: 'TaskEvent', events: true },
    },
    createTaskComments: { summary: 'Comment on a task', body: 'Comments', answer: 'TaskEvent[]' },
    linkTaskDocuments: {
      summary: 'Link documents to a task',
      details:
        'The first one becomes its PrimaryDocument. Linking twice changes nothing. `{"IDs": […]}` is taken as well.',
      body: 'LinkedDocument[]|IDs',
      answer: 'TaskDocument[]',
    },
  },
};
