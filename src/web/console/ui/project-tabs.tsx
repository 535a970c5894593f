import { notFound } from '../../../domain/kernel/errors.ts';
import type { ConsoleProjectContextFragment } from '../../../generated/operations/graphql.ts';

/** The project of a page, as the fragment ConsoleProjectContext reads it. */
export type PageProject = ConsoleProjectContextFragment;

/** The path of a part of a project, as `tasks`; without one, that of its documents. */
export const projectHref = (
  { organizationId, id }: Pick<PageProject, 'organizationId' | 'id'>,
  part = '',
): string => `/console/${organizationId}/projects/${id}${part && `/${part}`}`;

/** The project of a page below the path of an organization. Throws NOT_FOUND where the viewer sees none there. */
export function visibleProject<Project extends PageProject>(
  project: Project | null | undefined,
  organizationId: string,
): Project {
  if (project?.organizationId !== organizationId) throw notFound('Project');
  return project;
}

/** Whether the viewer changes content of the project: as an editor or admin, and while it is not disabled. */
export const mayEdit = ({ viewerRole, disabled }: PageProject): boolean =>
  viewerRole !== 'VIEWER' && !disabled;

/** Whether the viewer changes settings of the project: as an admin, and while it is not disabled. */
export const mayManage = ({ viewerRole, disabled }: PageProject): boolean =>
  viewerRole === 'ADMIN' && !disabled;

const PARTS = [
  ['', 'Documents'],
  ['tasks', 'Tasks'],
  ['forms', 'Forms'],
  ['signatures', 'Signatures'],
  ['processes', 'Processes'],
  ['people', 'People'],
] as const;

/** What is below the path of a project but no part of its own belongs to the documents. */
const DOCUMENTS = /^\/(folders\/|documents\/|bin$)/;

/** Pages below that of a part belong to it. */
function currentOf(path: string, href: string, part: string): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  const below = path.startsWith(`${href}/`) ? path.slice(href.length) : '';
  return (part ? below : DOCUMENTS.test(below)) ? 'true' : undefined;
}

/** Links to the parts of a project. */
export const ProjectTabs = ({ path, project }: { path: string; project: PageProject }) => (
  <nav class="tabs" aria-label="Project">
    <ul>
      {PARTS.map(([part, text]) => {
        const href = projectHref(project, part);
        return (
          <li>
            <a href={href} aria-current={currentOf(path, href, part)}>
              {text}
            </a>
          </li>
        );
      })}
    </ul>
  </nav>
);
