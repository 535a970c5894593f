import type { Area } from '../contract.ts';

const NOT_READ = 'Accepted, and not read.';

export const organizationArea: Area = {
  title: 'Organizations and projects',
  about: 'An organization is where people work together; its projects hold the documents, tasks and forms.',
  inputs: {
    OrganizationInput: {
      about: 'A new organization.',
      members: { Name: 'string!' },
      example: { Name: 'Harbour Works' },
    },
    ProjectInput: {
      about: 'A new project.',
      members: {
        Name: 'string!',
        SourceID: 'string',
        SourceContentCopy: `boolean ${NOT_READ}`,
        AccessType: 'string',
      },
      example: { Name: 'Quay Renewal', AccessType: 'GlobalAssignments_MemberContentByDefault' },
    },
    ProjectPart: {
      about: 'What changes of a project; what is left out stays as it is.',
      members: {
        ID: 'string If sent, the id in the path.',
        Name: 'string',
        AccessType: 'string',
        Disabled: 'boolean',
      },
      example: { Name: 'Quay Renewal II' },
    },
  },
  operations: {
    listOrganizations: {
      summary: 'List the organizations of the caller',
      answer: { key: 'Organizations', of: 'OrganizationForClient' },
    },
    createOrganizations: {
      summary: 'Create organizations',
      details: 'The caller owns them.',
      body: 'OrganizationInput[]',
      answer: 'OrganizationForClient[]',
    },
    getOrganization: { summary: 'Get an organization', answer: 'OrganizationForClient' },
    listProjects: {
      summary: 'List the projects of an organization',
      query: {
        projectAccessType: 'string Only projects with this AccessType.',
        nameFilter: 'string Only projects whose name begins with this.',
        getAll: 'boolean All of them in one answer, whose PageSize is 0.',
        adminOnly: 'boolean Only projects that the caller administers.',
      },
      answer: { key: 'Projects', of: 'OrganizationProject' },
    },
    createProjects: {
      summary: 'Create projects',
      query: { homePath: `string ${NOT_READ}`, projectPathPrefix: `string ${NOT_READ}` },
      body: 'ProjectInput[]',
      answer: 'OrganizationProject[]',
    },
    deleteProjects: {
      summary: 'Delete projects',
      details:
        'With all that is in them: nobody sees them any more. The graph can restore them as long as the recycle bin keeps documents.',
      body: 'IDs',
    },
    getProject: { summary: 'Get a project', answer: 'OrganizationProject' },
    updateProject: { summary: 'Update a project', body: 'ProjectPart', answer: 'OrganizationProject' },
  },
};
