import { notFound } from '../../domain/kernel/errors.ts';
import type { RestRequest } from './request.ts';

export const ORGANIZATION = '/organizations/:organizationId';
export const PROJECT = `${ORGANIZATION}/projects/:projectId`;

export const organizationPath = ({ path }: RestRequest) => ({
  organizationId: path.organizationId as string,
});

/** The organization and the project that a path names. */
export const projectPath = ({ path }: RestRequest) => ({
  organizationId: path.organizationId as string,
  projectId: path.projectId as string,
});

/** What an operation selects of an object, to tell the organization and the project it belongs to. */
type Owned = { organizationId: string } & ({ project?: { id: string } | null } | { projectId: string });

const projectIdOf = (object: Owned) => ('projectId' in object ? object.projectId : object.project?.id);

/** The object, if it belongs to the organization and the project in the path. Throws NOT_FOUND, naming `what`. */
export function requireInProject<Thing extends Owned>(
  object: Thing | null | undefined,
  request: RestRequest,
  what: string,
): Thing {
  const { organizationId, projectId } = projectPath(request);
  if (object?.organizationId !== organizationId || projectIdOf(object) !== projectId) throw notFound(what);
  return object;
}

/** The project of the path, if it belongs to the organization in the path. Throws NOT_FOUND. */
export function requireProject<Project extends { organizationId: string }>(
  project: Project | null | undefined,
  request: RestRequest,
): Project {
  if (project?.organizationId !== organizationPath(request).organizationId) throw notFound('Project');
  return project;
}

/** The organization of the path. Throws NOT_FOUND. */
export function requireOrganization<Organization>(
  organization: Organization | null | undefined,
): Organization {
  if (!organization) throw notFound('Organization');
  return organization;
}
