import type {
  FolderRecordFragment,
  OrganizationRecordFragment,
  ProjectAccess,
  ProjectRecordFragment,
} from '../../generated/operations/graphql.ts';
import { by, text, time, ZERO_TIME } from './wire.ts';

const ACCESS_TYPES = {
  OPEN: 'GlobalAssignments_MemberContentByDefault',
  RESTRICTED: 'MembersOnlyAssignments_MemberContentByAssignment',
} as const satisfies Record<ProjectAccess, string>;

export const accessType = (access: ProjectAccess): string => ACCESS_TYPES[access];

/** Undefined for a word that is none of the contract's. */
export const accessOfType = (type: string): ProjectAccess | undefined =>
  (Object.keys(ACCESS_TYPES) as ProjectAccess[]).find(
    (access) => ACCESS_TYPES[access].toLowerCase() === type.toLowerCase(),
  );

const ACCESS_WORDS = { OPEN: 'World', RESTRICTED: 'ProjectMember' } as const satisfies Record<
  ProjectAccess,
  string
>;

/** The newer, structured description; empty for who does not see the project. */
export function projectAccess(access: ProjectAccess | undefined) {
  const word = access ? ACCESS_WORDS[access] : '';
  return {
    Assignments: { Tasks: word, Approvals: word, DocumentFolders: word },
    MemberAccess: { Tasks: word, Approvals: word, DocumentFolders: word, AssetItems: '' },
  };
}

/** OrganizationForClient. Nobody is billed: every member is a free one. */
export const organizationRecord = ({
  id,
  createdAt,
  name,
  createdBy,
  memberCounts,
}: OrganizationRecordFragment) => {
  const { writing, readOnly } = memberCounts ?? { writing: 0, readOnly: 0 };
  return {
    ID: id,
    CreatedOn: createdAt,
    Name: name,
    ...by('Created', createdBy),
    SubscriptionRequired: false,
    SubscriptionFreeUsers: writing + readOnly,
    SubscriptionExpiration: ZERO_TIME,
    UniqueNonReadOnlyOrganizationMembers: writing,
    UniqueReadOnlyOrganizationMembers: readOnly,
    UniqueFreeOrganizationMembers: writing + readOnly,
    UniqueBillableOrganizationMembers: 0,
  };
};

/** OrganizationProject. */
export const projectRecord = (project: ProjectRecordFragment) => ({
  ID: project.id,
  OrganizationID: project.organizationId,
  SourceID: text(project.sourceId),
  SourceContentCopy: project.sourceContentCopied,
  Access: projectAccess(project.access),
  AccessType: accessType(project.access),
  CreatedOn: project.createdAt,
  ...by('Created', project.createdBy),
  Name: project.name,
  NameLower: project.name.toLowerCase(),
  Disabled: project.disabled,
  IsMarkedForPurge: false,
  PurgeMarkedOn: ZERO_TIME,
  ...by('PurgeMarked', null),
});

/** DocumentFolder. */
export const folderRecord = (folder: FolderRecordFragment) => ({
  ID: folder.id,
  UniqueID: folder.linkId,
  ParentID: text(folder.ancestorIds.at(-1)),
  AncestorIDs: folder.ancestorIds,
  OrganizationID: folder.organizationId,
  ProjectID: folder.project.id,
  ProjectName: folder.project.name,
  ProjectAccessType: accessType(folder.project.access),
  ProjectAccess: projectAccess(folder.project.access),
  CreatedOn: folder.createdAt,
  ...by('Created', folder.createdBy),
  CreatedByWorkflow: folder.createdByWorkflow,
  ModifiedOn: time(folder.modifiedAt),
  ...by('Modified', folder.modifiedBy),
  Name: folder.name,
  NameLower: folder.name.toLowerCase(),
  Depth: folder.depth,
  AncestorAssignmentUserEmails: folder.inheritedAssigneeEmails,
  AssignmentUserEmails: folder.assigneeEmails,
  HexColor: text(folder.hexColor),
});
