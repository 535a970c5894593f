import type { Records } from '../contract.ts';

/** The records of groups of people. */
export const groupRecords: Records = {
  shapes: {
    Group: {
      about: 'A group of people of the organization, as one of its projects shows it.',
      members: {
        ID: 'string',
        OrganizationID: 'string',
        OrganizationName: 'string',
        ProjectID: 'string The project in the path.',
        ProjectName: 'string',
        ProjectAccess: 'ProjectAccess',
        ProjectIsDisabled: 'boolean',
        CreatedOn: 'time',
        CreatedByUserID: 'string',
        CreatedByUserName: 'string',
        CreatedByUserEmail: 'string',
        ModifiedOn: 'time',
        Name: 'string',
        NameLower: 'string',
      },
    },
  },
  meanings: {},
};
