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
    ParentID: ['The id of the parent folder; empty at the root.'],
    CreatedByWorkflow: ['Whether a form submission created it.'],
    Depth: ['The number of its ancestors.'],
    AncestorAssignmentUserEmails: ['The e-mail addresses of the assignees of its ancestors.'],
    HexColor: ['Its colour as #rrggbb; may be empty.', '#2e7d5b'],
  },
};
