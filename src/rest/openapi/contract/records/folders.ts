import type { Records } from '../contract.ts';

/** The records of folders. */
export const folderRecords: Records = {
  shapes: {
    DocumentFolder: {
      about: 'A folder.',
      members: {
        ID: 'string',
        UniqueID: 'string',
        ParentID: 'string',
        AncestorIDs: 'string[]?',
        OrganizationID: 'string',
        ProjectID: 'string',
        ProjectName: 'string',
        ProjectAccessType: 'string',
        ProjectAccess: 'ProjectAccess?',
        CreatedOn: 'time',
        CreatedByUserEmail: 'string',
        CreatedByUserName: 'string',
        CreatedByUserID: 'string',
        CreatedByWorkflow: 'boolean?',
        ModifiedOn: 'time',
        ModifiedByUserEmail: 'string',
        ModifiedByUserName: 'string',
        ModifiedByUserID: 'string',
        Name: 'string',
        NameLower: 'string',
        Depth: 'integer',
        AncestorAssignmentUserEmails: 'string[]?',
        AssignmentUserEmails: 'string[]?',
        HexColor: 'string',
      },
      example: { ID: 'fld_01k9ngyng6e35dp6bfkwbxta3q', Name: '2031' },
    },
  },
  meanings: {
    ParentID: ['The folder above; empty at the root.'],
    CreatedByWorkflow: ['Whether a form made it.'],
    Depth: ['How many folders are above it.'],
    AncestorAssignmentUserEmails: ['The e-mail addresses of those that the folders above are assigned to.'],
    HexColor: ['Its colour; may be empty.', '#2e7d5b'],
  },
};
