import type {
  ProjectAccess,
  ProjectCopyState,
  ProjectRecordFragment,
} from '../../generated/operations/graphql.ts';
import { by, text, time, ZERO_TIME } from '../wire/values.ts';

export const ACCESS_TYPES: Record<ProjectAccess, string> = {
  OPEN: 'GlobalAssignments_MemberContentByDefault',
  RESTRICTED: 'MembersOnlyAssignments_MemberContentByAssignment',
};

export const accessType = (access: ProjectAccess): string => ACCESS_TYPES[access];

const AREA_ACCESS: Record<ProjectAccess, string> = { OPEN: 'World', RESTRICTED: 'ProjectMember' };

/** ProjectAccess: the access type area by area; empty for a caller who does not see the project. */
export function projectAccess(access: ProjectAccess | undefined) {
  const areaAccess = access ? AREA_ACCESS[access] : '';
  return {
    Assignments: { Tasks: areaAccess, Approvals: areaAccess, DocumentFolders: areaAccess },
    MemberAccess: { Tasks: areaAccess, Approvals: areaAccess, DocumentFolders: areaAccess, AssetItems: '' },
  };
}

const COPY_STATES: Record<ProjectCopyState, string> = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
};

/** OrganizationProject. */
export const projectRecord = (project: ProjectRecordFragment) => ({
  ID: project.id,
  OrganizationID: project.organizationId,
  SourceID: text(project.sourceId),
  SourceContentCopy: project.sourceContentCopied,
  SourceCopyState: project.copy ? COPY_STATES[project.copy.state] : '',
  SourceCopyError: text(project.copy?.error),
  Access: projectAccess(project.access),
  AccessModifiedOn: time(project.accessChangedAt),
  AccessType: accessType(project.access),
  AccessTypeModifiedOn: time(project.accessChangedAt),
  CreatedOn: project.createdAt,
  ...by('Created', project.createdBy),
  Name: project.name,
  NameLower: project.name.toLowerCase(),
  Disabled: project.disabled,
  IsMarkedForPurge: false,
  PurgeMarkedOn: ZERO_TIME,
  ...by('PurgeMarked', null),
});
