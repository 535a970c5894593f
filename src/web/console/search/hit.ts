import type { ConsoleSearchPageFragment, SearchKind } from '../../../generated/operations/graphql.ts';
import { documentHref, folderHref } from '../documents/hrefs.ts';
import { type PageProject, projectHref } from '../ui/project-tabs.tsx';

export type Hit = ConsoleSearchPageFragment['nodes'][number];

/** An object that was found, with its page; without a project, where only a form was shared with the viewer, it has none. */
export interface Found {
  name: string;
  project: PageProject | null;
  href: string | undefined;
}

/** What a hit leads to; undefined for what was deleted meanwhile. */
export function foundOf({ kind, nodeId, node }: Hit): Found | undefined {
  if (!node || !('name' in node)) return undefined;
  const project = node.__typename === 'FormTemplate' ? node.formProject : node.project;
  return { name: node.name, project, href: project ? HREFS[kind](project, nodeId) : undefined };
}

const HREFS: Record<SearchKind, (project: PageProject, id: string) => string> = {
  DOCUMENT: documentHref,
  FOLDER: folderHref,
  TASK: (project, id) => projectHref(project, `tasks/${id}`),
  FORM: (project, id) => projectHref(project, `forms/${id}`),
};

/** A text in pieces, in turn not found and found; `matches` has the start and the end of each that is found. */
export function piecesOf(text: string, matches: readonly number[]): string[] {
  const ends = [0, ...matches, text.length];
  return ends.slice(1).map((end, index) => text.slice(ends[index], end));
}
