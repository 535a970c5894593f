import { z } from 'zod';

/** The project and organization in which the caller expects an object; NOT_FOUND if it is elsewhere. */
export interface ProjectPath {
  projectId?: string | null;
  organizationId?: string | null;
}

/** The members of an input that are a ProjectPath. */
export const projectPath = { projectId: z.string().nullish(), organizationId: z.string().nullish() };

/** Whether the object belongs to the project and organization of the path, as far as it names them. */
export const isInPath = (
  object: { projectId: string | null; organizationId: string },
  { projectId, organizationId }: ProjectPath,
): boolean =>
  (!projectId || object.projectId === projectId) &&
  (!organizationId || object.organizationId === organizationId);
