import type { ListGroupsQuery } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../projects/record.ts';
import { by, time } from '../wire/values.ts';

type Project = NonNullable<ListGroupsQuery['project']>;
type Group = Project['organization']['groups']['nodes'][number];

/** A group of the project's organization, with the project of the path. */
export interface GroupInProject {
  group: Group;
  project: Project;
}

/** Group: groups belong to the organization, so each of its projects has the same. */
export const groupRecord = ({ group, project }: GroupInProject) => ({
  ID: group.id,
  OrganizationID: project.organizationId,
  OrganizationName: project.organization.name,
  ProjectID: project.id,
  ProjectName: project.name,
  ProjectAccess: projectAccess(project.access),
  ProjectIsDisabled: project.disabled,
  CreatedOn: group.createdAt,
  ...by('Created', group.createdBy),
  ModifiedOn: time(group.modifiedAt),
  Name: group.name,
  NameLower: group.name.toLowerCase(),
});
