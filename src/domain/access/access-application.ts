import { forbidden } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isApplication } from './role.ts';

/**
 * What applications may not change, whatever their scopes and the rights of their user: who belongs where and with which
 * rights, credentials, and what other applications may. It would outlast the grant, and could keep their author inside.
 */
const RESERVED_ACTIONS = {
  organizations: 'Organizations are created',
  members: 'Members are changed and removed',
  invitations: 'Invitations are created, withdrawn and answered',
  projectMembers: 'Members of projects are added, changed and removed',
  projectAccess: 'Who takes part in a project is changed',
  apiKeys: 'API keys are managed',
  clients: 'Applications are managed',
  authorizations: 'Authorizations are taken back',
};

/** Throws FORBIDDEN to applications. */
export function requireNoApplication(viewer: Viewer, matter: keyof typeof RESERVED_ACTIONS): void {
  if (isApplication(viewer))
    throw forbidden(
      `${RESERVED_ACTIONS[matter]} with an API key or a browser sign-in, not by an application.`,
    );
}
