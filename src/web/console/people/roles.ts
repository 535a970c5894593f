import type { OrganizationRole } from '../../../generated/operations/graphql.ts';
import type { Choice } from '../ui/fields.tsx';

const ROLES: readonly (Choice & { value: OrganizationRole })[] = [
  { value: 'OWNER', text: 'Owner' },
  { value: 'ADMIN', text: 'Admin' },
  { value: 'MEMBER', text: 'Member' },
  { value: 'GUEST', text: 'Guest' },
];

/** The roles that somebody may give: only owners make owners. */
export const rolesFor = (viewerRole: OrganizationRole): readonly Choice[] =>
  ROLES.filter(({ value }) => value !== 'OWNER' || viewerRole === 'OWNER');

export const ROLE_HINT =
  'Owners and admins manage the organization and see every project. Members take part in open projects. Guests only read, in projects to which they were added.';
