import type { Area } from '../contract.ts';

export const accountArea: Area = {
  title: 'The caller',
  about: 'The user behind the credential: profile, work and API keys.',
  inputs: {
    KeyInput: {
      about:
        'A new API key. Its scopes cannot exceed those of the caller’s credential. A key that is created with another API key expires no later than that key, and is revoked when that key is deleted.',
      members: {
        Name: 'string!',
        Scopes:
          'string[] Its scopes, such as `read` or `documents:write`; by default those of the caller’s credential.',
        ExpiresOn: 'string When it expires; empty or the zero time for never.',
      },
      example: { Name: 'Nightly export', Scopes: ['read'], ExpiresOn: '2032-01-01T00:00:00Z' },
    },
    PreferenceInput: {
      about:
        'A preference. The first value that is not empty, false or 0 is stored; without one it is removed.',
      members: {
        ID: 'string! Its name, such as a member of UserPreferences.',
        StringValue: 'string A text, up to 2,000 characters.',
        BoolValue: 'boolean True or false; false removes the preference.',
        IntValue: 'integer A whole number.',
        FloatValue: 'number A number.',
      },
      example: { ID: 'ViewType', StringValue: 'List' },
    },
    PreferenceValueInput: {
      about: 'The value of a preference, as in PreferenceInput; the path has its name.',
      members: {
        StringValue: 'string A text, up to 2,000 characters.',
        BoolValue: 'boolean True or false; false removes the preference.',
        IntValue: 'integer A whole number.',
        FloatValue: 'number A number.',
      },
      example: { StringValue: 'List' },
    },
    AddressBookIDs: {
      about: 'Items of the address book; all of them if there are no IDs or no body.',
      members: { IDs: 'string[] The e-mail addresses (`EmailLower`) of the items.' },
      example: { IDs: ['tove.ahlgren@example.test'] },
    },
    LogInput: {
      about: 'A line that a client reports about itself.',
      members: {
        Header: 'string Up to 200 characters.',
        Value1: 'string! Up to 2,000 characters.',
        Value2: 'string Up to 2,000 characters.',
        Value3: 'string Up to 2,000 characters.',
      },
      example: { Header: 'Viewer', Value1: 'The page could not be drawn.' },
    },
    KeyIDs: {
      about:
        'API keys. All of them are deleted, or none is; keys that were created with them are revoked too.',
      members: { IDs: 'string[]! The ids of the keys.' },
      example: { IDs: ['key_01k90hre3sgmzn1te7d9xt4zvt'] },
    },
    ProfileInput: {
      about: 'Changes of the profile; members that are left out do not change.',
      members: {
        UserName: 'string! The display name.',
        UserEmail: 'string Accepted and ignored: this operation does not change the address.',
      },
      example: { UserName: 'Tove Ahlgren' },
    },
  },
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
