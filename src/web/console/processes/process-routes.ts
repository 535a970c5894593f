import { ConsoleUpdateProcessDocument } from '../../../generated/operations/graphql.ts';
import { storedMutation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, inField } from '../ui/form-error.ts';
import { consolePage } from '../ui/frame.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { listOf, pathOf, readProcess, target } from './process.ts';
import { ProcessView } from './process-view.tsx';

const UPDATE = storedMutation(ConsoleUpdateProcessDocument);

/** `processes/PROCESS`: its steps, and where it was started. */
export function processPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/processes/:process`;
  pages.get(path, (visit) => showProcess(visit));
  pages.post(`${path}/state`, changeState);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  created: 'The process was created.',
  changed: 'The process was changed.',
  disabled: 'The process is disabled. Where it was started, it continues.',
  enabled: 'The process can be started again.',
};

async function showProcess(visit: Visit, error?: FormError): Promise<Response> {
  const { organization, project, process } = await readProcess(visit);
  return consolePage({
    ...{ visit, title: process.name, organization, project, error },
    crumbs: [{ href: listOf(visit), text: 'Processes' }],
    done: DONE[visit.query('done') ?? ''],
    children: ProcessView({
      ...{ path: pathOf(visit), formToken: visit.formToken, process, after: visit.query('after') },
    }),
  });
}

const changeState = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const disabled = form.get('do') !== 'enable';
      await visit.run(UPDATE, { input: { ...target(visit), disabled } });
      return seeOther(`${pathOf(visit)}?done=${disabled ? 'disabled' : 'enabled'}`);
    },
    (error) => showProcess(visit, inField(error, {})),
  );
