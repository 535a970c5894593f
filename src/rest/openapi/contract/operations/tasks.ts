import type { Area, Operation, Shape } from '../contract.ts';

const content: Shape['members'] = {
  Description: 'string',
  DescriptionHtml: 'string',
  DescriptionRichTextJson: 'string',
  AssignmentUserEmail: 'string',
  DueOn: 'string When it is due; empty or the zero time for no due date.',
  ParentTaskID: 'string',
  Priority: 'integer From 0 to 9; 9 is the most urgent.',
  DurationMultiplier: 'integer From 1 to 10,000 of DurationInterval; 0 for no duration.',
  DurationInterval: 'string `Minute`, `Hour`, `Day` or `Week`; given together with DurationMultiplier.',
  Tags: 'string[] Replaces the tags.',
  Stakeholders: 'StakeholderInput[] Replaces the stakeholders: members who see the task.',
};

const states: Operation['query'] = {
  activeOnly: 'boolean Only open tasks.',
  completedOnly: 'boolean Only completed tasks.',
  deniedOnly: 'boolean Only denied tasks.',
};

export const taskArea: Area = {
  title: 'Tasks',
  about: 'Work to do. A task is open until it is completed or denied.',
  inputs: {
    LinkedDocument: {
      about: 'A document to link. A whole record may be sent; only its id is used.',
      members: { DocumentID: 'string', ID: 'string' },
      example: { DocumentID: 'doc_01k9nztfxdmdms8g8s6whatht9' },
    },
    StakeholderInput: {
      about: 'A person to keep informed. A whole Stakeholder may be sent; only its id is used.',
      members: { UserID: 'string!' },
      example: { UserID: 'usr_01k9wrma4tgvp725ak395bc86y' },
    },
    TaskInput: {
      about: 'A new task. A whole Task may be sent; members that the server sets are ignored.',
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
      about: 'Changes of a task; members that are left out do not change.',
      members: { Name: 'string', ...content },
      example: { DueOn: '2031-03-18T17:00:00Z' },
    },
    Assignee: {
      about: 'The person to assign the task to.',
      members: { AssignmentUserEmail: 'string! The e-mail address; empty to unassign.' },
      example: { AssignmentUserEmail: 'tove.ahlgren@example.test' },
    },
    Completion: {
      about: 'The result of a task.',
      members: {
        Result: 'string The outcome; `Completed` by default. `Denied` denies the task.',
      },
      example: { Result: 'Completed' },
    },
  },
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
