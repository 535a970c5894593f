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
      about: 'Who sees what of a project.',
      members: {
        Assignments: 'ProjectAccessAssignments?',
        MemberAccess: 'ProjectMemberAccess?',
      },
    },
    ProjectAccessAssignments: {
      about: 'Who may be assigned.',
      members: {
        Tasks: 'string?',
        Approvals: 'string?',
        DocumentFolders: 'string?',
      },
    },
    ProjectMemberAccess: {
      about: 'What members see.',
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
    UniqueReadOnlyOrganizationMembers: ['Members who only read.', 1],
    UniqueFreeOrganizationMembers: ['Members who are not billed: all of them.', 8],
    UniqueBillableOrganizationMembers: ['Members who are billed: none.'],
    SourceID: ['The project it was made from; empty for none.'],
    SourceContentCopy: ['Whether the content of that project was copied as well.'],
    Access: ['Who sees what, area by area.'],
    AccessType: [
      '`GlobalAssignments_MemberContentByDefault`: every member of the organization sees it. `MembersOnlyAssignments_MemberContentByAssignment`: its own members do.',
      'GlobalAssignments_MemberContentByDefault',
    ],
    Assignments: ['Who may be assigned, area by area.'],
    MemberAccess: ['What members see, area by area.'],
    Tasks: ['`World` or `ProjectMember`.', 'World'],
    Approvals: ['`World` or `ProjectMember`.', 'World'],
    DocumentFolders: ['`World` or `ProjectMember`.', 'World'],
    AssetItems: ['Always empty.'],
  },
};
