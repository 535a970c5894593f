import { newOrganization } from '../../../organizations/input.ts';
import { newProject, projectChange } from '../../../projects/input.ts';
import { shapesOf } from '../../../shape/shape.ts';
import type { Area } from '../contract.ts';

const IGNORED = 'Accepted and ignored.';

export const organizationArea: Area = {
  title: 'Organizations and projects',
  about: 'An organization has members and projects; a project has documents, tasks and forms.',
  inputs: shapesOf([newOrganization, newProject, projectChange]),
  operations: {
    listOrganizations: {
      summary: 'List the organizations of the caller',
      answer: { key: 'Organizations', of: 'OrganizationForClient' },
    },
    createOrganizations: {
      summary: 'Create organizations',
      details: 'The caller becomes their owner.',
      body: 'OrganizationInput[]',
      answer: 'OrganizationForClient[]',
    },
    getOrganization: { summary: 'Get an organization', answer: 'OrganizationForClient' },
    listProjects: {
      summary: 'List the projects of an organization',
      query: {
        projectAccessType: 'string Only projects with this AccessType.',
        nameFilter: 'string Only projects whose name starts with this text.',
        getAll: 'boolean All projects in one page, whose PageSize is 0.',
        adminOnly: 'boolean Only projects of which the caller is an administrator.',
        includeProjectId:
          'string The id of a project that is on the first page, whatever the other parameters select.',
      },
      answer: { key: 'Projects', of: 'OrganizationProject' },
    },
    createProjects: {
      summary: 'Create projects',
      details:
        'All are created, or none. A project with a `SourceID` is a copy; of a large one it is `Disabled` until everything is copied, and cannot be enabled before. `SourceCopyState` is `Failed` if its creator meanwhile lost the right to create projects, or revoked the API key or the application that created it: nothing is copied from then on, and the project stays `Disabled`. `SourceContentCopy` is ignored without `SourceID`.',
      query: { homePath: `string ${IGNORED}`, projectPathPrefix: `string ${IGNORED}` },
      body: 'ProjectInput[]',
      answer: 'OrganizationProject[]',
    },
    deleteProjects: {
      summary: 'Delete projects',
      details:
        'Deletes their content too. They can be restored through GraphQL until the retention time of the recycle bin ends.',
      body: 'IDs',
    },
    getProject: { summary: 'Get a project', answer: 'OrganizationProject' },
    updateProject: { summary: 'Update a project', body: 'ProjectPart', answer: 'OrganizationProject' },
    getProjectSettings: {
      summary: 'Get the settings of a project',
      details: 'Empty for what is not set.',
      answer: 'ProjectSettings',
    },
  },
};
