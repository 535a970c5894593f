import {
  ConsoleSignaturesDocument,
  type SignatureSessionState,
} from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { SignaturesView } from './view.tsx';

const SESSIONS = storedOperation(ConsoleSignaturesDocument);

/** `signatures` of a project. */
export function signatureListPages(pages: ConsolePages, organizationPath: string): void {
  pages.get(`${organizationPath}/projects/:project/signatures`, showSessions);
}

const STATES: readonly SignatureSessionState[] = ['DRAFT', 'ACTIVE', 'COMPLETED', 'STOPPED'];

async function showSessions(visit: Visit): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const state = STATES.find((each) => each === visit.query('state'));
  const data = await visit.run(SESSIONS, { id, projectId: visit.param('project'), after, state });
  const project = visibleProject(data.project, id);
  return consolePage({
    visit,
    title: 'Signatures',
    organization: visible(data.organization),
    project,
    children: SignaturesView({ path: projectHref(project, 'signatures'), project, state, after }),
  });
}
