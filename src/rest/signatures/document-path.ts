import { projectPath } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';

/** The organization, the project and the document that a path names. */
export const documentIn = (request: RestRequest) => ({
  ...projectPath(request),
  documentId: request.path.documentId as string,
});
