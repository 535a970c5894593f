import { updateProject } from '../../../domain/membership/project-change.ts';
import { createProjects, type Project as ProjectRow } from '../../../domain/projects/project.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Project, ProjectAccess } from './type.ts';

const ProjectSource = builder.inputType('ProjectSource', {
  description: `The project of the same organization that a new one copies. Settings, folders, fields with their choices, tags, forms,
processes with their approvers and signature templates are copied. Members, assignments, shares, links, history, comments,
webhooks and saved searches are not.`,
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project to copy. It must be visible to you.' }),
    copyContent: t.boolean({
      description: `Copies documents and tasks as well; false by default. Of a document the newest revision, tags and field
values are copied: not earlier revisions, signing or legal hold, and no document in the recycle bin. Tasks are open and
have no assignee and no stakeholders.`,
    }),
  }),
});

const NewProject = builder.inputType('NewProject', {
  description: 'One project to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    access: t.field({
      type: ProjectAccess,
      description: 'Who takes part; by default as in the source, without one OPEN.',
    }),
    source: t.field({ type: ProjectSource, description: 'What it copies; it is empty otherwise.' }),
  }),
});

const createProjectsInput = mutationInput({
  description: 'New projects of one organization: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Where to create them.' }),
    projects: t.field({ type: [NewProject], required: true, description: 'The projects, in order.' }),
  }),
});

const createProjectsPayload = mutationPayload<{ projects: ProjectRow[] }>({
  description: 'The new projects.',
  fields: (t) => ({
    projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
  }),
});

const updateProjectInput = mutationInput({
  description: 'A change of a project; omitted members keep their values.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Which project.' }),
    name: t.string({ description: 'The new display name.' }),
    access: t.field({ type: ProjectAccess, description: 'Who takes part from now on.' }),
    disabled: t.boolean({ description: 'Whether it is disabled.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const projectPayload = mutationPayload<{ project: ProjectRow }>({
  description: 'The project after the change.',
  fields: (t) => ({ project: t.expose('project', { type: Project, description: 'The project.' }) }),
});

mutation('createProjects', {
  scope: 'organizations:write',
  description: `Creates projects. Requires the role OWNER or ADMIN in the organization. A project with a large source is
disabled until it is copied; Project.copy has the progress. CONFLICT for a source that is still being copied itself.`,
  argument: 'The projects.',
  input: createProjectsInput,
  payload: createProjectsPayload,
  batch: { items: 'projects', empty: { projects: [] } },
  resolve: async (input, ctx) => ({ projects: await createProjects(ctx, input) }),
});

mutation('updateProject', {
  scope: 'organizations:write',
  description:
    'Changes a project. Requires the role ADMIN in it. FORBIDDEN for an application that changes who takes part.',
  argument: 'The change.',
  input: updateProjectInput,
  payload: projectPayload,
  resolve: async (input, ctx) => ({ project: await updateProject(ctx, input) }),
});
