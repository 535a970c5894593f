import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { forbidden } from '../kernel/errors.ts';
import { isApplication, type Viewer } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';
import { isManager } from './role.ts';

/**
 * Changes that are closed to applications with any scope: groups, credentials, other applications, and what a person is
 * notified of. Their effect would outlast the grant, and could keep the author of an application in the organization.
 */
const RESERVED_ACTIONS = {
  organizations: 'Organizations are created',
  signInRules: 'Whether members need a second factor is changed',
  groups: 'Groups of people are changed',
  substitutes: 'Who stands in for whom is changed',
  invitations: 'Invitations are answered',
  projectAccess: 'Who takes part in a project is changed',
  apiKeys: 'API keys are managed',
  clients: 'Applications are managed',
  applications: 'Which applications may act in an organization is decided',
  authorizations: 'Authorizations are revoked',
  mails: 'Mails are sent again',
  events: 'Events are redacted',
  exports: 'An organization is exported',
  erasures: 'What becomes of comments of erased people is decided',
  retention: 'How long documents are kept is decided',
  ownSettings: 'Of what a person is notified, and whom their address book shows, is changed',
};

/** The organizations that the viewer manages in person: none for an application. */
export const organizationsManagedInPerson = (viewer: Viewer): string[] =>
  isApplication(viewer) ? [] : adminOrganizations(viewer);

/** Throws FORBIDDEN if the caller is an application. */
export function requireNoApplication(viewer: Viewer, action: keyof typeof RESERVED_ACTIONS): void {
  if (isApplication(viewer))
    throw forbidden(
      `${RESERVED_ACTIONS[action]} with an API key or a browser sign-in, not by an application.`,
      undefined,
      { rule: 'NO_APPLICATION' },
    );
}

interface ConcernedPerson {
  userId?: string;
  /** In the organization: the role that they have, or get. */
  role: OrganizationRole;
}

/**
 * Throws FORBIDDEN to an application that would appoint, change or remove an owner, an admin or its own user, in an organization or in a
 * project of it: an application manages memberships, but neither those who decide about it nor the one in whose name it acts.
 */
export function requireManagedByApplications(
  viewer: Viewer,
  people: readonly ConcernedPerson[],
  pathAt: (index: number) => string,
): void {
  if (!isApplication(viewer)) return;
  const index = people.findIndex(({ userId, role }) => isManager(role) || userId === viewer.userId);
  if (index < 0) return;
  const text = isManager((people[index] as ConcernedPerson).role)
    ? 'Owners and admins are appointed, changed and removed with an API key or a browser sign-in, not by an application.'
    : 'An application does not change the membership of its own user.';
  throw forbidden(text, pathAt(index), { rule: 'NO_APPLICATION' });
}
