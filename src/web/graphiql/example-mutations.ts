import { DAY } from '../../lib/time.ts';
import type { Example } from './example.ts';

const inAMonth = (): string =>
  new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10).concat('T12:00:00Z');

/** Examples that change something. */
export const MUTATIONS: readonly Example[] = [
  {
    name: 'create-folder',
    title: 'Create a folder',
    about: 'Creates several at once: all of them, or none.',
    variables: (ids) => ({
      input: { projectId: ids.projectId, folders: [{ name: 'Permits', hexColor: '#14614b' }] },
    }),
    query: `# Creates several folders: all of them, or none.
mutation CreateFolder($input: CreateFoldersInput!) {
  createFolders(input: $input) {
    folders { id path createdAt createdBy { name } }
  }
}
`,
  },
  {
    name: 'create-task',
    title: 'Create a task',
    about: 'A task with a date, about a document.',
    variables: (ids) => ({
      input: { projectId: ids.projectId, tasks: [{ name: 'Check the plan', dueAt: inAMonth() }] },
    }),
    query: `# Assign it with assigneeEmail.
mutation CreateTask($input: CreateTasksInput!) {
  createTasks(input: $input) {
    tasks { id name dueAt state project { name } }
  }
}
`,
  },
  {
    name: 'comment',
    title: 'Comment on a document',
    about: 'Comments, with mentions by @.',
    variables: (ids) => ({ input: { documentId: ids.documentId, texts: ['Please check page 2 again.'] } }),
    query: `# Comments on a document.
# The tab Documents shows ids.
mutation AddComment($input: CreateCommentsInput!) {
  createComments(input: $input) {
    comments { id text createdAt createdBy { name } }
  }
}
`,
  },
  {
    name: 'upload',
    title: 'Upload a file',
    about: 'Reserves an upload. Its URL takes the bytes, and confirmUploads makes a document of them.',
    variables: (ids) => ({ input: { projectId: ids.projectId, count: 1 } }),
    query: `# 1. Run this. 2. Send the bytes: curl -T plan.pdf "the url of the response".
# 3. Run confirmUploads with the id of the upload and a name for the document.
mutation ReserveUpload($input: ReserveUploadsInput!) {
  reserveUploads(input: $input) {
    uploads { id url expiresAt }
  }
}
`,
  },
  {
    name: 'create-webhook',
    title: 'Create a webhook',
    about: 'Sends events to an address of yours. The secret is shown once.',
    variables: (ids) => ({
      input: {
        organizationId: ids.organizationId,
        webhooks: [{ url: 'https://example.com/hooks', kinds: ['task.*'] }],
      },
    }),
    query: `# For owners and admins. The receiver checks the signature with the secret.
mutation CreateWebhook($input: CreateWebhooksInput!) {
  createWebhooks(input: $input) {
    created { secret webhook { id url kinds state } }
  }
}
`,
  },
];
