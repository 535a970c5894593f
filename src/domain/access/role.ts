import type { OrganizationRole, ProjectAccess, ProjectRole } from '../../generated/prisma/client.ts';
import { organizationsWith, type Viewer } from '../kernel/viewer.ts';

const RANK: Record<ProjectRole, number> = { VIEWER: 1, EDITOR: 2, ADMIN: 3 };

/** Whether a role is at least `minimum`; null is no role. */
export const hasProjectRole = (role: ProjectRole | null, minimum: ProjectRole): boolean =>
  role !== null && RANK[role] >= RANK[minimum];

/** Whether someone takes part in a project without being one of its members. */
export const hasImplicitAccess = (role: OrganizationRole, access: ProjectAccess): boolean =>
  isManager(role) || (role === 'MEMBER' && access === 'OPEN');

/** The role in a project of a project member with this role in its organization. */
export const effectiveProjectRole = (role: OrganizationRole, granted: ProjectRole): ProjectRole =>
  isManager(role) ? 'ADMIN' : role === 'GUEST' ? 'VIEWER' : granted;

/** Owners and admins manage an organization. */
export const isManager = (role: OrganizationRole): boolean => role === 'OWNER' || role === 'ADMIN';

export const isOrganizationAdmin = (viewer: Viewer, organizationId: string): boolean =>
  organizationsWith(viewer, 'OWNER', 'ADMIN').includes(organizationId);
