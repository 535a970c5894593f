import { notFound } from '../../domain/kernel/errors.ts';
import type { RestRequest } from './route.ts';

export const PROJECT = '/organizations/:organizationId/projects/:projectId';

/** The organization and the project that a path names. */
export const projectPath = ({ path }: RestRequest) => ({
  organizationId: path.organizationId as string,
  projectId: path.projectId as string,
});

interface Placed {
  organizationId: string;
  project?: { id: string } | null;
}

/** A thing is found only under its own organization and project. */
export function requireInProject<Thing extends Placed>(
  thing: Thing | null | undefined,
  request: RestRequest,
  what: string,
): Thing {
  const { organizationId, projectId } = projectPath(request);
  if (thing?.organizationId !== organizationId || thing.project?.id !== projectId) throw notFound(what);
  return thing;
}
