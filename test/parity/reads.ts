import type { IdType } from '../../src/lib/id.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import type { Route } from '../../src/rest/wire/route.ts';
import { COMMANDS } from './commands/table.ts';
import type { At, Role, Twin } from './twin.ts';

/** Queries that together read a whole world, each within the cost limit. */
export const QUERIES = [
  `query ($p: ID!, $o: ID!) { viewer { name apiKeys(first: 5) { nodes { id name expiresAt } } invitations(first: 5) { nodes { id role } } }
    organization(id: $o) { name viewerRole members(first: 9) { nodes { id role } } projects(first: 9) { nodes { id name access disabled version sourceId } }
      searchTemplates(first: 5) { nodes { id name query } } }
    project(id: $p) { name viewerRole members(first: 9) { nodes { id role } } tags { nodes { text } }
      fields(first: 20) { nodes { id parentId name label type required hasChoices choicesDependOnParent rows decimalPlaces version choices(first: 5) { nodes { id value parentValue } } } }
      folders(first: 9) { nodes { id name hexColor assigneeEmails version folders(first: 5) { nodes { id name path assigneeEmails } } } } } }`,
  `query ($p: ID!) { project(id: $p) { pageCount documents(first: 9) { totalCount nodes { id name state version size tags folder { id } assigneeEmails
      purgeAt pendingApproval { id } signedAt signatureSession { id state } comments(first: 5) { nodes { text createdBy { id } } } events(first: 9) { nodes { kind changes { member before after } } } } } } }`,
  `query ($p: ID!) { project(id: $p) { tasks(first: 9) { nodes { id name state result description assigneeEmail dueAt parent { id } version revisionNumber
      completedBy { id } documents(first: 5) { nodes { id } } comments(first: 5) { nodes { text } } } }
    approvals(first: 9) { nodes { id state waitsForViewer decidedBy { id } approvers(first: 3) { nodes { user { id } state comment } } } }
    processes(first: 5) { nodes { id name runs(first: 9) { nodes { id state } } } } } }`,
  `query ($p: ID!) { project(id: $p) { formTemplates(first: 9) { nodes { id name state isPublic sharedWith fields(first: 5) { nodes { id field { id } required } } submissions(first: 5) { nodes { id answers { values } } } } }
    signatureFormTemplates(first: 9) { nodes { id name fields(first: 5) { nodes { id type recipientRank x y } } } }
    recentSignatureForms(first: 5) { nodes { id templateId lastViewedPageIndex document { id signatureSession { id state customSubject recipients(first: 3) { nodes { id rank email state } } } } fields(first: 9) { nodes { id type rank x y value recipient { id } } } } } } }`,
];

/** Cursors contain ids and times, and add nothing to the compared lists. */
const withoutCursors = (text: string) => text.replace(/"(Reverse)?Cursor": "[^"]*"/g, '"$1Cursor": ""');

export async function readGraph(twin: Twin, part: Role, at: At, queries: string[]): Promise<string[]> {
  const answers: string[] = [];
  const variables = { p: at.path.projectId, o: at.path.organizationId };
  for (const query of queries) {
    const { data, errors } = await twin.people[part].graph(
      query,
      query.includes('$o') ? variables : { p: variables.p },
    );
    const response = {
      data,
      errors: errors?.map(({ message, extensions }) => `${extensions.code} ${message}`).sort(),
    };
    answers.push(twin.names.mask(JSON.stringify(response, null, 1)));
  }
  return answers;
}

const changing = new Set(COMMANDS.map(({ row }) => row));

/** The routes without side effects. */
export const READ_ROUTES = restRoutes.filter(({ id, method }) => method === 'GET' && !changing.has(id));

const TYPES: Record<string, IdType> = {
  documentId: 'Document',
  documentFolderId: 'Folder',
  fieldId: 'Field',
  taskId: 'Task',
  formTemplateId: 'FormTemplate',
  formTemplateFieldId: 'FormField',
  documentSignatureFormId: 'SignatureForm',
  documentSignatureSessionId: 'SignatureSession',
  documentSignatureSessionRecipientId: 'SignatureRecipient',
  signatureFormTemplateId: 'SignatureFormTemplate',
};

/** The responses of these routes for the newest object of each type. */
export async function readRest(twin: Twin, part: Role, at: At, which: Route[]): Promise<string[]> {
  const answers: string[] = [];
  for (const { id, path } of which) {
    const filled = path.replace(
      /:(\w+)/g,
      (_, member: string) =>
        ({ ...at.path, singleUserPreferenceId: 'ViewType' })[member] ?? at.id(TYPES[member] as IdType, 0),
    );
    const { status, body } = await twin.people[part].rest('GET', filled);
    const response = body && typeof body === 'object' && 'requestId' in body ? body.message : body;
    answers.push(`${id} ${status} ${twin.names.mask(withoutCursors(JSON.stringify(response, null, 1)))}`);
  }
  return answers;
}
