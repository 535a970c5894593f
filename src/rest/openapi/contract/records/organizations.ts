import type { Records } from '../contract.ts';

/** The records of organizations and projects. */
export const organizationRecords: Records = {
  shapes: {
    OrganizationForClient: {
      about: 'An organization.',
      members: {
        ID: 'string',
        CreatedOn: 'time',
        Name: 'string',
        CreatedByUserID: 'string',
        CreatedByUserName: 'string',
        CreatedByUserEmail: 'string',
        SubscriptionRequired: 'boolean',
        SubscriptionFreeUsers: 'integer',
        SubscriptionExpiration: 'time',
        UniqueNonReadOnlyOrganizationMembers: 'integer',
        UniqueReadOnlyOrganizationMembers: 'integer',
        UniqueFreeOrganizationMembers: 'integer',
        UniqueBillableOrganizationMembers: 'integer',
      },
      example: { ID: 'org_01k94aw425639a3vvfgp21h2xa', Name: 'Harbour Works' },
    },
    OrganizationProject: {
      about: 'A project.',
      members: {
        ID: 'string',
        OrganizationID: 'string',
        SourceID: 'string?',
        SourceContentCopy: 'boolean?',
        SourceCopyState: 'string?',
        SourceCopyError: 'string?',
        Access: 'ProjectAccess?',
        AccessType: 'string',
        CreatedOn: 'time',
        CreatedByUserID: 'string',
        CreatedByUserEmail: 'string',
        CreatedByUserName: 'string',
        Name: 'string',
        NameLower: 'string',
        Disabled: 'boolean',
        IsMarkedForPurge: 'boolean',
        PurgeMarkedOn: 'time',
        PurgeMarkedByUserID: 'string',
        PurgeMarkedByUserName: 'string',
        PurgeMarkedByUserEmail: 'string',
      },
      example: { ID: 'prj_01k9j9rybn968abrjdzgdz9cx9', Name: 'Quay Renewal' },
    },
    ProjectAccess: {
      about: 'Who can see the areas of a project.',
      members: {
        Assignments: 'ProjectAccessAssignments?',
        MemberAccess: 'ProjectMemberAccess?',
      },
    },
    ProjectAccessAssignments: {
      about: 'Who can be assigned, by area.',
      members: {
        Tasks: 'string?',
        Approvals: 'string?',
        DocumentFolders: 'string?',
      },
    },
    ProjectMemberAccess: {
      about: 'What members can see, by area.',
      members: {
        Tasks: 'string?',
        Approvals: 'string?',
        DocumentFolders: 'string?',
        AssetItems: 'string?',
      },
    },
  },
  meanings: {
    UniqueNonReadOnlyOrganizationMembers: ['Members who may write.', 7],
    UniqueReadOnlyOrganizationMembers: ['Members who may only read.', 1],
    UniqueFreeOrganizationMembers: ['Members who are not billed, which are all.', 8],
    UniqueBillableOrganizationMembers: ['Always 0: members are not billed.'],
    SourceID: ['The id of the project it is a copy of; empty if there is none.'],
    SourceContentCopy: ['Whether documents and tasks are copied from that project as well.'],
    SourceCopyState: [
      'Empty for a project without `SourceID`; otherwise `Running`, `Completed` or `Failed`. A project is `Disabled` while its copy runs and after it failed.',
    ],
    SourceCopyError: ['Why the copy failed; empty otherwise.'],
    Access: ['Who can see its areas.'],
    AccessType: [
      '`GlobalAssignments_MemberContentByDefault`: every member of the organization can see it. `MembersOnlyAssignments_MemberContentByAssignment`: only its own members can.',
      'GlobalAssignments_MemberContentByDefault',
    ],
    Assignments: ['Who can be assigned, by area.'],
    MemberAccess: ['What members can see, by area.'],
    Tasks: ['`World` or `ProjectMember`.', 'World'],
    Approvals: ['`World` or `ProjectMember`.', 'World'],
    DocumentFolders: ['`World` or `ProjectMember`.', 'World'],
    AssetItems: ['Always empty.'],
  },
};
