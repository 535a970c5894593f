import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';
import { isApplication } from './role.ts';

/**
 * Changes that are closed to applications with any scope: memberships, credentials, other applications, and what a person is
 * notified of. Their effect would outlast the grant, and could keep the author of an application in the organization.
 */
const RESERVED_ACTIONS = {
  organizations: 'Organizations are created',
  signInRules: 'Whether members need a second factor is changed',
  members: 'Members are changed and removed',
  groups: 'Groups of people are changed',
  invitations: 'Invitations are created, withdrawn and answered',
  projectMembers: 'Members of projects are added, changed and removed',
  projectAccess: 'Who takes part in a project is changed',
  apiKeys: 'API keys are managed',
  clients: 'Applications are managed',
  applications: 'Which applications may act in an organization is decided',
  authorizations: 'Authorizations are revoked',
  mails: 'Mails are sent again',
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
