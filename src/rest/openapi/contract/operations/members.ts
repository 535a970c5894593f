import type { Area } from '../contract.ts';

const NOT_READ = 'Accepted, and not read.';

export const memberArea: Area = {
  title: 'Members',
  about: 'Who works in an organization, and in a project of it.',
  inputs: {
    MemberInput: {
      about: 'Who shall be a member. A whole record may be sent; the rest of it is not read.',
      members: { UserEmail: 'string!', IsAdmin: 'boolean', IsReadOnly: 'boolean' },
      example: { UserEmail: 'ines.kallio@example.test', IsAdmin: false, IsReadOnly: false },
    },
  },
  operations: {
    listOrganizationMembers: {
      summary: 'List the members of an organization',
      query: { homePath: `string ${NOT_READ}` },
      answer: 'OrganizationMember[]',
    },
    addOrganizationMembers: {
      summary: 'Invite people to an organization',
      details: 'Each record has the id of the invitation, and is `Disabled` until it is accepted.',
      query: { homePath: `string ${NOT_READ}` },
      body: 'MemberInput[]',
      answer: 'OrganizationMember[]',
    },
    listProjectMembers: {
      summary: 'List the members of a project',
      answer: { key: 'ProjectMembers', of: 'ProjectMember' },
    },
    addProjectMembers: {
      summary: 'Add members of the organization to a project',
      query: { homePath: `string ${NOT_READ}`, projectPath: `string ${NOT_READ}` },
      body: 'MemberInput[]',
      answer: 'ProjectMember[]',
    },
  },
};
