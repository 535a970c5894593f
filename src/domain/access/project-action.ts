import type { ProjectRole } from '../../generated/prisma/client.ts';
import { projectRoleRule } from '../kernel/access-rule.ts';
import { conflict, type DomainError, forbidden } from '../kernel/errors.ts';
import { hasProjectRole } from './role.ts';

/** The role in a project that each action takes at least. docs/access.md says so to people. */
const LEAST_ROLE = {
  leaveProject: 'VIEWER',
  changeDocuments: 'EDITOR',
  recycleDocuments: 'EDITOR',
  uploadFiles: 'EDITOR',
  commentOn: 'EDITOR',
  changeFolders: 'EDITOR',
  changeTasks: 'EDITOR',
  changeForms: 'EDITOR',
  requestSignatures: 'EDITOR',
  changeSignatureTemplates: 'EDITOR',
  startProcesses: 'EDITOR',
  decideApprovals: 'EDITOR',
  delegateForOthers: 'ADMIN',
  purgeDocuments: 'ADMIN',
  deleteFolders: 'ADMIN',
  deleteForms: 'ADMIN',
  deleteAnswers: 'ADMIN',
  changeFields: 'ADMIN',
  changeProcesses: 'ADMIN',
  changeProjectMembers: 'ADMIN',
  changeProject: 'ADMIN',
  deleteProject: 'ADMIN',
} as const satisfies Record<string, ProjectRole>;

export type ProjectAction = keyof typeof LEAST_ROLE;

/** Whether a role in a project suffices for an action; null is no role. */
export const roleSuffices = (role: ProjectRole | null, action: ProjectAction): boolean =>
  hasProjectRole(role, LEAST_ROLE[action]);

/** FORBIDDEN for want of a role, with its rule; `ending` is the end of the sentence. */
export function roleRefusal(action: ProjectAction, ending: string, at?: string): DomainError {
  const role = LEAST_ROLE[action];
  return forbidden(`This takes the role ${role} in the project${ending}`, at, projectRoleRule(role));
}

/** Throws FORBIDDEN for a role that does not suffice, and CONFLICT if the project is disabled. */
export function requireProjectRole(
  { viewerRole, disabledAt }: { viewerRole: ProjectRole; disabledAt: Date | null },
  action: ProjectAction,
): void {
  if (!roleSuffices(viewerRole, action)) throw roleRefusal(action, `; yours is ${viewerRole}.`);
  if (disabledAt) throw conflict('The project is disabled.');
}
