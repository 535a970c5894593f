import type { ListGroupsQuery } from '../../generated/operations/graphql.ts';
import { projectAccess } from '../projects/record.ts';
import { boolean, by, lower, one, record, string, time } from '../shape/record.ts';

type Project = NonNullable<ListGroupsQuery['project']>;
type Group = Project['organization']['groups']['nodes'][number];

/** A group of the project's organization, with the project of the path. */
export interface GroupInProject {
  group: Group;
  project: Project;
}

/** Groups belong to the organization, so each of its projects has the same. */
export const groupRecord = record<GroupInProject>(
  'Group',
  'A group of people of the organization, as one of its projects shows it.',
  {
    ID: string(({ group }) => group.id),
    OrganizationID: string(({ project }) => project.organizationId),
    OrganizationName: string(({ project }) => project.organization.name),
    ProjectID: string(({ project }) => project.id, 'The project in the path.'),
    ProjectName: string(({ project }) => project.name),
    ProjectAccess: one(projectAccess, ({ project }) => project.access),
    ProjectIsDisabled: boolean(({ project }) => project.disabled),
    CreatedOn: time(({ group }) => group.createdAt),
    ...by<GroupInProject>('Created', ({ group }) => group.createdBy, ['ID', 'Name', 'Email']),
    ModifiedOn: time(({ group }) => group.modifiedAt),
    Name: string(({ group }) => group.name),
    NameLower: lower(({ group }) => group.name),
  },
);
