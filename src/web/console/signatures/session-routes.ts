import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleRemindSignersDocument,
  ConsoleRenewSignatureLinksDocument,
  ConsoleRetrySealingDocument,
  ConsoleSignatureDocument,
  ConsoleStopSignatureSessionDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { SessionView } from './session-view.tsx';

const SESSION = storedOperation(ConsoleSignatureDocument);
const REMIND = storedMutation(ConsoleRemindSignersDocument);
const RENEW = storedMutation(ConsoleRenewSignatureLinksDocument);
const STOP = storedMutation(ConsoleStopSignatureSessionDocument);
const RETRY = storedMutation(ConsoleRetrySealingDocument);

/** `signatures/SESSION`: who has signed a document, and the signed file. */
export function signaturePages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/signatures/:session`;
  pages.get(path, (visit) => showSession(visit));
  pages.post(`${path}/signers`, actOnSigner);
  pages.post(`${path}/stop`, stop);
  pages.post(`${path}/sealing`, retrySealing);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  reminded: 'A reminder is on its way.',
  renewed: 'A mail with a new link is on its way; the old link works no more.',
  stopped: 'Signing was stopped.',
  retried: 'The file is sealed now. Reload the page to see whether it succeeded.',
};

/** The session of a page, in its project. Throws NOT_FOUND where the viewer sees none there. */
async function readSession(visit: Visit) {
  const id = visit.param('organization');
  const { signatureSession: session, ...data } = await visit.run(SESSION, {
    ...{ id, projectId: visit.param('project'), sessionId: visit.param('session') },
    after: visit.query('after'),
  });
  const project = visibleProject(data.project, id);
  if (session?.project.id !== project.id) throw notFound('Signature session');
  return { organization: visible(data.organization), project, session };
}

async function showSession(visit: Visit, error?: FormError): Promise<Response> {
  const { organization, project, session } = await readSession(visit);
  const list = projectHref(project, 'signatures');
  return consolePage({
    visit,
    title: `Signatures of ${session.document.name}`,
    organization,
    project,
    crumbs: [{ href: list, text: 'Signatures' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: SessionView({
      ...{ path: `${list}/${session.id}`, formToken: visit.formToken, project, session, error },
      after: visit.query('after'),
    }),
  });
}

/** What a change acts on: the document, of which the session must be this one. */
type Target = { organizationId: string; projectId: string; documentId: string };

/** Runs a change, and returns to the page of the session. */
const change = (visit: Visit, done: string, run: (target: Target) => Promise<unknown>): Promise<Response> =>
  attempt(
    async () => {
      const { organization, project, session } = await readSession(visit);
      await run({ organizationId: organization.id, projectId: project.id, documentId: session.document.id });
      const list = `${sectionHref(visit, 'projects')}/${visit.param('project')}/signatures`;
      return seeOther(`${list}/${visit.param('session')}?done=${done}`);
    },
    (error) => showSession(visit, error),
  );

function actOnSigner(visit: Visit, form: URLSearchParams): Promise<Response> {
  const recipientIds = [form.get('signer') ?? ''];
  if (form.get('do') === 'renew')
    return change(visit, 'renewed', (target) => visit.run(RENEW, { input: { ...target, recipientIds } }));
  return change(visit, 'reminded', (target) => visit.run(REMIND, { input: { ...target, recipientIds } }));
}

async function stop(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showSession(visit, fieldError('confirm', 'Confirm that signing is to end.'));
  const sessionId = visit.param('session');
  return change(visit, 'stopped', (target) => visit.run(STOP, { input: { ...target, sessionId } }));
}

function retrySealing(visit: Visit): Promise<Response> {
  const sessionId = visit.param('session');
  return change(visit, 'retried', ({ organizationId, projectId }) =>
    visit.run(RETRY, { input: { organizationId, projectId, sessionId } }),
  );
}
