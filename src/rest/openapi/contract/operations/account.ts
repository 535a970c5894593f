import type { Area } from '../contract.ts';

export const accountArea: Area = {
  title: 'The caller',
  about: 'The user behind the credential: profile, work and API keys.',
  inputs: {
    KeyInput: {
      about:
        'A new API key. It may do what the caller’s credential may, and no more. One that is made with an API key lives no longer than that, and ends when that is deleted.',
      members: {
        Name: 'string!',
        Scopes: 'string[] What it may do: `read`, `write` or both; as the caller’s credential when left out.',
        ExpiresOn: 'string When it ends; empty or the zero time for never.',
      },
      example: { Name: 'Nightly export', Scopes: ['read'], ExpiresOn: '2032-01-01T00:00:00Z' },
    },
    KeyIDs: {
      about: 'API keys. All of them are deleted, or none is; the keys that were made with them end as well.',
      members: { IDs: 'string[]! The ids of the keys.' },
      example: { IDs: ['key_01k9czhv7gqyd0yj0yk8wz1hm6'] },
    },
    ProfileInput: {
      about: 'What changes of the profile; what is left out stays as it is.',
      members: {
        UserName: 'string! The name that people see.',
        UserEmail: 'string Accepted, and not read: the address is not changed here.',
      },
      example: { UserName: 'Tove Ahlgren' },
    },
  },
  operations: {
    getUserProfile: { summary: 'Get the profile of the caller', answer: 'UserProfile' },
    updateUserProfile: {
      summary: 'Update the profile of the caller',
      body: 'ProfileInput',
      answer: 'UserProfile',
    },
    listUserOrganizations: { summary: 'List where the caller has work', answer: 'UserOrganization[]' },
    listUserProjects: {
      summary: 'List the projects where the caller has work',
      answer: { key: 'UserOrganizationProjects', of: 'UserOrganizationProject' },
    },
    listMemberships: {
      summary: 'List the memberships of the caller',
      answer: { key: 'OrganizationMembershipPackages', of: 'OrganizationMembershipPackage' },
    },
    getMembership: {
      summary: 'Get the membership of the caller in an organization',
      answer: { key: 'OrganizationMembershipPackages', of: 'OrganizationMembershipPackage' },
    },
    listApiKeys: { summary: 'List the API keys of the caller', answer: { key: 'APIKeys', of: 'APIKey' } },
    createApiKeys: { summary: 'Create API keys', body: 'KeyInput[]', answer: 'APIKeyCreated[]' },
    deleteApiKeys: { summary: 'Delete API keys', body: 'KeyIDs' },
  },
};
