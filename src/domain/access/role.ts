import type { OrganizationRole, ProjectAccess, ProjectRole } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { organizationsWith, type Viewer } from '../kernel/viewer.ts';

/** Whether an application asks on the viewer's behalf, with an access token. */
export const isApplication = ({ credentialId }: Viewer): boolean => typeOfId(credentialId) === 'Grant';

const RANK: Record<ProjectRole, number> = { VIEWER: 1, EDITOR: 2, ADMIN: 3 };

export const hasProjectRole = (role: ProjectRole | null, least: ProjectRole): boolean =>
  role !== null && RANK[role] >= RANK[least];

/** Throws FORBIDDEN, or CONFLICT when the project is switched off. */
export function requireProjectRole(
  project: { viewerRole: ProjectRole; disabledAt: Date | null },
  least: ProjectRole,
): void {
  if (!hasProjectRole(project.viewerRole, least))
    throw forbidden(`This takes the role ${least} in the project; yours is ${project.viewerRole}.`);
  if (project.disabledAt) throw conflict('The project is disabled.');
}

/** Whether someone takes part in a project without having been added to it. */
export const hasImplicitAccess = (role: OrganizationRole, access: ProjectAccess): boolean =>
  isManager(role) || (role === 'MEMBER' && access === 'OPEN');

/** What a role in a project comes to for someone with this role in its organization. */
export const effectiveProjectRole = (role: OrganizationRole, granted: ProjectRole): ProjectRole =>
  isManager(role) ? 'ADMIN' : role === 'GUEST' ? 'VIEWER' : granted;

/** Whether the role lets someone manage an organization. */
export const isManager = (role: OrganizationRole): boolean => role === 'OWNER' || role === 'ADMIN';

export const isOrganizationAdmin = (viewer: Viewer, organizationId: string): boolean =>
  organizationsWith(viewer, 'OWNER', 'ADMIN').includes(organizationId);

export const isOrganizationOwner = (viewer: Viewer, organizationId: string): boolean =>
  organizationsWith(viewer, 'OWNER').includes(organizationId);
