import { z } from 'zod';
import { notFound } from '../domain/kernel/errors.ts';
import {
  AgentListEventsDocument,
  AgentListFoldersDocument,
  AgentListOrganizationsDocument,
  AgentListProjectsDocument,
} from '../generated/operations/graphql.ts';
import { storedOperation } from '../graph/http/execute.ts';
import { eventRecord, named } from './record.ts';
import {
  idInput,
  listed,
  pageInput,
  pageOf,
  pageOutput,
  prefixInput,
  readingTool,
  type Tool,
} from './tool.ts';

const listOrganizations = storedOperation(AgentListOrganizationsDocument);
const listProjects = storedOperation(AgentListProjectsDocument);
const listFolders = storedOperation(AgentListFoldersDocument);
const listEvents = storedOperation(AgentListEventsDocument);

const organizationsList = readingTool({
  name: 'organizations.list',
  title: 'List organizations',
  description: 'Lists the organizations of the person for whom you act. Begin here.',
  input: z.strictObject(pageInput()),
  output: pageOutput(named),
  operations: [listOrganizations],
  run: async (page, execute) => listed((await execute(listOrganizations, pageOf(page))).viewer.organizations),
});

const projectsList = readingTool({
  name: 'projects.list',
  title: 'List projects',
  description: 'Lists the projects of an organization.',
  input: z.strictObject({
    organizationId: idInput('organization'),
    namePrefix: prefixInput,
    ...pageInput(),
  }),
  output: pageOutput(z.object({ id: z.string(), name: z.string(), disabled: z.boolean() })),
  operations: [listProjects],
  run: async ({ organizationId, namePrefix, ...page }, execute) => {
    const variables = { organizationId, filter: { namePrefix }, ...pageOf(page) };
    const { organization } = await execute(listProjects, variables);
    if (!organization) throw notFound('Organization');
    return listed(organization.projects);
  },
});

const foldersList = readingTool({
  name: 'folders.list',
  title: 'List folders',
  description: 'Lists the folders of a project, at any depth, each with its path.',
  input: z.strictObject({ projectId: idInput('project'), namePrefix: prefixInput, ...pageInput() }),
  output: pageOutput(z.object({ id: z.string(), name: z.string(), path: z.array(z.string()) })),
  operations: [listFolders],
  run: async ({ projectId, namePrefix, ...page }, execute) => {
    const { project } = await execute(listFolders, { projectId, filter: { namePrefix }, ...pageOf(page) });
    if (!project) throw notFound('Project');
    return listed(project.folders);
  },
});

/** Of a comment, in the list of events: the whole text is among the comments. */
const MAX_EXCERPT = 500;

const eventsList = readingTool({
  name: 'events.list',
  title: 'List events',
  description:
    'What happened in an organization, oldest first. Keep nextCursor, or the last sequence, to continue later.',
  input: z.strictObject({
    organizationId: idInput('organization'),
    projectId: idInput('project').optional(),
    kinds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(20)
      .optional()
      .describe('Such as `task.completed` or `task.*`.'),
    since: z.string().max(40).optional().describe('ISO 8601.'),
    ...pageInput(),
  }),
  output: pageOutput(eventRecord),
  operations: [listEvents],
  run: async ({ organizationId, projectId, kinds, since, ...page }, execute) => {
    const variables = { organizationId, projectId, kinds, since, ...pageOf(page) };
    const { organization } = await execute(listEvents, variables);
    if (!organization) throw notFound('Organization');
    const { items, ...rest } = listed(organization.events);
    return { ...rest, items: items.map((each) => ({ ...each, text: each.text?.slice(0, MAX_EXCERPT) })) };
  },
});

export const listTools: Tool[] = [eventsList, foldersList, organizationsList, projectsList];
