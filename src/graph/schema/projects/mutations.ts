import { updateProject } from '../../../domain/membership/project-change.ts';
import { createProjects, type Project as ProjectRow } from '../../../domain/projects/project.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { Project, ProjectAccess } from './type.ts';

const NewProject = builder.inputType('NewProject', {
  description: 'One project to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    access: t.field({ type: ProjectAccess, description: 'Who takes part; OPEN unless you say otherwise.' }),
    sourceId: t.id({ description: 'The project it is modelled on.' }),
  }),
});

const CreateProjectsInput = builder.inputType('CreateProjectsInput', {
  description: 'New projects of one organization: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Where to create them.' }),
    projects: t.field({ type: [NewProject], required: true, description: 'The projects, in order.' }),
  }),
});

const CreateProjectsPayload = builder
  .objectRef<{ projects: ProjectRow[] }>('CreateProjectsPayload')
  .implement({
    description: 'The new projects.',
    fields: (t) => ({
      projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
    }),
  });

const UpdateProjectInput = builder.inputType('UpdateProjectInput', {
  description: 'A change of a project; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Which project.' }),
    name: t.string({ description: 'The new display name.' }),
    access: t.field({ type: ProjectAccess, description: 'Who takes part from now on.' }),
    disabled: t.boolean({ description: 'Switches it off or on.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const ProjectPayload = builder.objectRef<{ project: ProjectRow }>('ProjectPayload').implement({
  description: 'The project as it now is.',
  fields: (t) => ({ project: t.expose('project', { type: Project, description: 'The project.' }) }),
});

builder.mutationFields((t) => ({
  createProjects: t.field({
    type: CreateProjectsPayload,
    description: 'Creates projects. Takes the role OWNER or ADMIN in the organization.',
    args: { input: t.arg({ type: CreateProjectsInput, required: true, description: 'The projects.' }) },
    resolve: async (_, { input }, ctx) => ({ projects: await createProjects(ctx, input) }),
  }),
  updateProject: t.field({
    type: ProjectPayload,
    description:
      'Changes a project. Takes the role ADMIN in it. FORBIDDEN for an application that changes who takes part.',
    args: { input: t.arg({ type: UpdateProjectInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ project: await updateProject(ctx, input) }),
  }),
}));
