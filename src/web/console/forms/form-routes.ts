import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleFormPageDocument,
  ConsoleRetryFilingsDocument,
  type FilingState,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { projectHref, visibleProject } from '../ui/project-tabs.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { FormView } from './form-view.tsx';

const FORM = storedOperation(ConsoleFormPageDocument);
const RETRY = storedMutation(ConsoleRetryFilingsDocument);

/** `forms/FORM`: who may submit it, and its submissions. */
export function formPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/forms/:form`;
  pages.get(path, (visit) => showForm(visit));
  pages.post(`${path}/filings`, retryFilings);
}

const STATES: readonly FilingState[] = ['FAILED', 'PENDING', 'FILED'];

async function showForm(visit: Visit, error?: FormError): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const filing = STATES.find((each) => each === visit.query('filing'));
  const ids = { id, projectId: visit.param('project'), formId: visit.param('form') };
  const { organization, formTemplate: form, ...data } = await visit.run(FORM, { ...ids, after, filing });
  const project = visibleProject(data.project, id);
  if (form?.projectId !== project.id) throw notFound('Form');
  const list = projectHref(project, 'forms');
  const retried = 'The submissions are filed now. Reload the page to see whether it succeeded.';
  return consolePage({
    visit,
    title: form.name,
    organization: visible(organization),
    project,
    crumbs: [{ href: list, text: 'Forms' }],
    done: visit.query('done') === 'retried' ? retried : undefined,
    error,
    children: FormView({
      ...{ path: `${list}/${form.id}`, formToken: visit.formToken, project, form, filing, after },
    }),
  });
}

const retryFilings = (visit: Visit, sent: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const [organizationId, projectId] = [visit.param('organization'), visit.param('project')];
      const submissionIds = sent.getAll('submission');
      await visit.run(RETRY, { input: { organizationId, projectId, submissionIds } });
      const list = `${sectionHref(visit, 'projects')}/${projectId}/forms`;
      return seeOther(`${list}/${visit.param('form')}?done=retried`);
    },
    (error) => showForm(visit, error),
  );
