import { notFound } from '../../../domain/kernel/errors.ts';
import { ConsoleProcessDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { visible } from '../ui/frame.tsx';
import { visibleProject } from '../ui/project-tabs.tsx';
import { sectionHref, type Visit } from '../ui/visit.ts';

const PROCESS = storedOperation(ConsoleProcessDocument);

/** The path of the list of processes. */
export const listOf = (visit: Visit): string =>
  `${sectionHref(visit, 'projects')}/${visit.param('project')}/processes`;

export const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('process')}`;

/** Which process of which project a form is about. */
export const target = ({ param }: Visit) => ({
  organizationId: param('organization'),
  projectId: param('project'),
  processId: param('process'),
});

/** The process of a page. Throws NOT_FOUND where the viewer sees none in the project. */
export async function readProcess(visit: Visit) {
  const id = visit.param('organization');
  const variables = { id, processId: visit.param('process'), after: visit.query('after') };
  const { organization, process } = await visit.run(PROCESS, variables);
  if (process?.project.id !== visit.param('project')) throw notFound('Process');
  return { organization: visible(organization), process, project: visibleProject(process.project, id) };
}
