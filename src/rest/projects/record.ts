import type {
  ProjectAccess,
  ProjectCopyState,
  ProjectRecordFragment,
} from '../../generated/operations/graphql.ts';
import { boolean, by, lower, nullable, one, record, string, time } from '../shape/record.ts';

export const ACCESS_TYPES: Record<ProjectAccess, string> = {
  OPEN: 'GlobalAssignments_MemberContentByDefault',
  RESTRICTED: 'MembersOnlyAssignments_MemberContentByAssignment',
};

export const accessType = (access: ProjectAccess): string => ACCESS_TYPES[access];

const AREA_ACCESS: Record<ProjectAccess, string> = { OPEN: 'World', RESTRICTED: 'ProjectMember' };

/** The access type of a project; undefined for a caller who does not see it. */
type Access = ProjectAccess | undefined;

const areaAccess = nullable<Access>(
  string((access) => access && AREA_ACCESS[access], '`World` or `ProjectMember`.', 'World'),
);

const areas = { Tasks: areaAccess, Approvals: areaAccess, DocumentFolders: areaAccess };

const assignments = record<Access>('ProjectAccessAssignments', 'Who can be assigned, by area.', areas);

const memberAccess = record<Access>('ProjectMemberAccess', 'What members can see, by area.', {
  ...areas,
  AssetItems: nullable(string(() => '', 'Always empty.')),
});

export const projectAccess = record<Access>('ProjectAccess', 'Who can see the areas of a project.', {
  Assignments: nullable(one(assignments, (access) => access, 'Who can be assigned, by area.')),
  MemberAccess: nullable(one(memberAccess, (access) => access, 'What members can see, by area.')),
});

const COPY_STATES: Record<ProjectCopyState, string> = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
};

type Project = ProjectRecordFragment;

export const projectRecord = record<Project>(
  'OrganizationProject',
  'A project.',
  {
    ID: string((project) => project.id),
    OrganizationID: string((project) => project.organizationId),
    SourceID: nullable(
      string((project) => project.sourceId, 'The id of the project it is a copy of; empty if there is none.'),
    ),
    SourceContentCopy: nullable(
      boolean(
        (project) => project.sourceContentCopied,
        'Whether documents and tasks are copied from that project as well.',
      ),
    ),
    SourceCopyState: nullable(
      string(
        (project) => project.copy && COPY_STATES[project.copy.state],
        'Empty for a project without `SourceID`; otherwise `Running`, `Completed` or `Failed`. A project is `Disabled` while its copy runs and after it failed.',
      ),
    ),
    SourceCopyError: nullable(
      string((project) => project.copy?.error, 'Why the copy failed; empty otherwise.'),
    ),
    Access: nullable(one(projectAccess, (project) => project.access, 'Who can see its areas.')),
    AccessModifiedOn: time(
      (project) => project.accessChangedAt,
      'When `Access` was last changed; the zero time if never.',
    ),
    AccessType: string((project) => accessType(project.access)),
    AccessTypeModifiedOn: time((project) => project.accessChangedAt, 'The same as `AccessModifiedOn`.'),
    CreatedOn: time((project) => project.createdAt),
    ...by<Project>('Created', (project) => project.createdBy),
    Name: string((project) => project.name),
    NameLower: lower((project) => project.name),
    Disabled: boolean((project) => project.disabled),
    IsMarkedForPurge: boolean(() => false),
    PurgeMarkedOn: time(() => null),
    ...by<Project>('PurgeMarked', () => null, ['ID', 'Name', 'Email']),
  },
  { ID: 'prj_01k9j9rybn968abrjdzgdz9cx9', Name: 'Quay Renewal' },
);

export const projectRecords = [projectRecord, projectAccess, assignments, memberAccess];
