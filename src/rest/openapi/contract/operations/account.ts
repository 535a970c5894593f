import { shapesOf } from '../../../shape/shape.ts';
import { apiKeyIds, newApiKey } from '../../../users/api-key-input.ts';
import { userInputs } from '../../../users/input.ts';
import type { Area } from '../contract.ts';

export const accountArea: Area = {
  title: 'The caller',
  about: 'The user behind the credential: profile, work and API keys.',
  inputs: shapesOf([newApiKey, apiKeyIds, ...userInputs]),
  operations: {
    getOrganizationPermissions: {
      summary: 'Get the rights of the caller in an organization',
      answer: 'OrganizationPermissions',
    },
    listAddressBookItems: {
      summary: 'List the people that the caller shares an organization with',
      details: 'At most 100, by e-mail address, without those whom the caller has hidden.',
      query: {
        filter: 'string Only people whose name or e-mail address starts with this text.',
        includeTenantMembers: 'boolean False for an empty list.',
        includeRoles: 'boolean Accepted and ignored.',
        includeFields: 'boolean Accepted and ignored.',
        includeFormTemplateFields: 'boolean Accepted and ignored.',
      },
      answer: 'AddressBookItem[]',
    },
    hideAddressBookItems: {
      summary: 'Hide people from the address book of the caller',
      details:
        'Without IDs or a body the address book is cleared. People who join later are listed. Nobody else notices it; `showContacts` of the GraphQL API shows them again.',
      body: 'AddressBookIDs?',
    },
    getUserPreferences: { summary: 'Get the preferences of the caller', answer: 'UserPreferences' },
    updateUserPreference: {
      summary: 'Store one preference of the caller',
      details: 'The server stores it for clients, and does not read it. A person has at most 100.',
      body: 'PreferenceInput',
      answer: 'UserPreferences',
    },
    getSingleUserPreference: {
      summary: 'Get one preference of the caller',
      details: 'The stored text as each of the types; the zero values if nothing is stored under this name.',
      answer: 'UserPreference',
    },
    updateSingleUserPreference: {
      summary: 'Store the value of one preference of the caller',
      body: 'PreferenceValueInput',
      answer: 'UserPreference',
    },
    createLog: {
      summary: 'Report a line of a client',
      details: 'It is stored unverified; the newest 100 of a person are stored.',
      body: 'LogInput',
    },
    getSupportAdmin: {
      summary: 'Get whether the caller is support staff of the vendor',
      textAnswer: ['text/plain', 'Always `false`.', 'false'],
    },
    getUserProfile: { summary: 'Get the profile of the caller', answer: 'UserProfile' },
    updateUserProfile: {
      summary: 'Update the profile of the caller',
      body: 'ProfileInput',
      answer: 'UserProfile',
    },
    listUserOrganizations: {
      summary: 'List the organizations in which the caller takes part',
      answer: 'UserOrganization[]',
    },
    listUserProjects: {
      summary: 'List the projects in which the caller takes part',
      answer: { key: 'UserOrganizationProjects', of: 'UserOrganizationProject' },
    },
    listMemberships: {
      summary: 'List the memberships of the caller',
      answer: { key: 'OrganizationMembershipPackages', of: 'OrganizationMembershipPackage' },
    },
    getMembership: {
      summary: 'Get the membership of the caller in an organization',
      details: 'The members of the package, and beside them a list with this one package.',
      answer: {
        key: 'OrganizationMembershipPackages',
        of: 'OrganizationMembershipPackage',
        name: 'OrganizationMembership',
        beside: 'OrganizationMembershipPackage',
      },
    },
    listProjectMemberships: {
      summary: 'List the projects of the caller in an organization, with the caller’s membership',
      details:
        'ProjectMember is without `ID` for a project in which the caller takes part without having been added.',
      answer: { key: 'ProjectMembershipPackages', of: 'ProjectMembershipPackage' },
    },
    listApiKeys: { summary: 'List the API keys of the caller', answer: { key: 'APIKeys', of: 'APIKey' } },
    createApiKeys: { summary: 'Create API keys', body: 'KeyInput[]', answer: 'APIKeyCreated[]' },
    deleteApiKeys: { summary: 'Delete API keys', body: 'KeyIDs' },
  },
};
