import type { Records } from '../contract.ts';

/** The records of members. */
export const memberRecords: Records = {
  shapes: {
    OrganizationMember: {
      about: 'A member of an organization.',
      members: {
        ID: 'string',
        CreatedOn: 'time',
        OrganizationID: 'string',
        OrganizationName: 'string',
        UserID: 'string',
        UserName: 'string',
        UserNameLower: 'string',
        UserEmail: 'string',
        Disabled: 'boolean',
        IsReadOnly: 'boolean',
        IsAdmin: 'boolean',
      },
      example: { ID: 'mem_01k95r0z8zab5cawveenzqyc8x' },
    },
    ProjectMember: {
      about: 'A member of a project.',
      members: {
        ID: 'string',
        CreatedOn: 'time',
        OrganizationMemberID: 'string',
        OrganizationMemberIsAdmin: 'boolean',
        OrganizationID: 'string',
        OrganizationName: 'string',
        ProjectID: 'string',
        ProjectName: 'string',
        ProjectIsDisabled: 'boolean',
        ProjectAccessType: 'string',
        UserID: 'string',
        UserName: 'string',
        UserNameLower: 'string',
        UserEmail: 'string',
        Disabled: 'boolean',
        IsReadOnly: 'boolean',
        IsAdmin: 'boolean',
        IsStakeholder: 'boolean Always false: there are no stakeholders.',
        ProjectAccess: 'ProjectAccess?',
      },
      example: { ID: 'pmb_01k9afa1j0yt7310rsv75c4thr' },
    },
  },
  meanings: {
    IsReadOnly: ['Whether the member may only read.'],
    OrganizationMemberID: ['The id of the membership of the organization.', 'mem_01k95r0z8zab5cawveenzqyc8x'],
    OrganizationMemberIsAdmin: ['Whether the member is an administrator of the organization.', true],
  },
};
