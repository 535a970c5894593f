import type { Crumb } from '../ui/frame.tsx';
import { type PageProject, projectHref } from '../ui/project-tabs.tsx';

/** The path of the page of a folder; that of the project without one. */
export const folderHref = (project: PageProject, folderId?: string): string =>
  projectHref(project, folderId && `folders/${folderId}`);

export const documentHref = (project: PageProject, documentId: string): string =>
  projectHref(project, `documents/${documentId}`);

/** Where a folder is: the ids of the folders above it, and the names from the root to itself. */
interface FolderPath {
  id: string;
  path: readonly string[];
  ancestorIds: readonly string[];
}

/** Links to the folders above a folder. */
export const crumbsAbove = (project: PageProject, { path, ancestorIds }: FolderPath): Crumb[] =>
  ancestorIds.map((id, level) => ({ href: folderHref(project, id), text: path[level] ?? '' }));

/** Links to the folders from the root to a folder. */
export const crumbsOf = (project: PageProject, folder: FolderPath | null): Crumb[] =>
  folder ? crumbsAbove(project, { ...folder, ancestorIds: [...folder.ancestorIds, folder.id] }) : [];

/** Whether the viewer may delete folders. */
export const mayDelete = ({ viewerRole, disabled }: PageProject): boolean =>
  viewerRole === 'ADMIN' && !disabled;

/** The path of a signed URL: it is on this server, whatever host name the browser uses for it. */
export const ownPath = (url: string): string => new URL(url).pathname;
