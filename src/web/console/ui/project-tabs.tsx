import { notFound } from '../../../domain/kernel/errors.ts';
import type { ConsoleProjectPlaceFragment } from '../../../generated/operations/graphql.ts';

/** The project of a page, as the fragment ConsoleProjectPlace reads it. */
export type PageProject = ConsoleProjectPlaceFragment;

/** The path of a part of a project, as `tasks`; without one, that of its documents. */
export const projectHref = ({ organizationId, id }: PageProject, part = ''): string =>
  `/console/${organizationId}/projects/${id}${part && `/${part}`}`;

/** The project of a page below the path of an organization. Throws NOT_FOUND where the viewer sees none there. */
export function visibleProject<Project extends PageProject>(
  project: Project | null | undefined,
  organizationId: string,
): Project {
  if (project?.organizationId !== organizationId) throw notFound('Project');
  return project;
}

const PARTS = [
  ['', 'Documents'],
  ['people', 'People'],
] as const;

/** Whether a page is that of a part or below it. Folders and documents have paths beside that of all documents. */
function currentOf(path: string, project: PageProject, part: string): 'page' | 'true' | undefined {
  const href = projectHref(project, part);
  if (path === href) return 'page';
  const below = part ? [href] : ['folders', 'documents', 'bin'].map((each) => projectHref(project, each));
  return below.some((each) => path === each || path.startsWith(`${each}/`)) ? 'true' : undefined;
}

/** Links to the parts of a project. */
export const ProjectTabs = ({ path, project }: { path: string; project: PageProject }) => (
  <nav class="tabs" aria-label="Project">
    <ul>
      {PARTS.map(([part, text]) => (
        <li>
          <a href={projectHref(project, part)} aria-current={currentOf(path, project, part)}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
