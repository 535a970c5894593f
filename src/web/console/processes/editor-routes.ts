import { forbidden } from '../../../domain/kernel/errors.ts';
import {
  ConsoleCreateProcessesDocument,
  ConsoleNewProcessDocument,
  type ConsoleStepFragment,
  ConsoleUpdateProcessDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { longFormLimit } from '../../ui/form-body.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, type PageOrganization, visible } from '../ui/frame.tsx';
import type { Person } from '../ui/people-offer.ts';
import { mayManage, type PageProject, visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { processChoices } from './choices.ts';
import { EditorView } from './editor-view.tsx';
import { type EnteredProcess, enteredIn, enteredOf, newStep, SEARCHED } from './entered.ts';
import { listOf, pathOf, readProcess, target } from './process.ts';
import { refusal } from './refusal.ts';
import { problemOf, stepInputs } from './step-input.ts';
import { changedSteps } from './step-list.ts';

const PARENT = storedOperation(ConsoleNewProcessDocument);
const CREATE = storedMutation(ConsoleCreateProcessesDocument);
const UPDATE = storedMutation(ConsoleUpdateProcessDocument);

/** `processes/new` and `processes/PROCESS/edit`: the form of a process, for admins of the project. */
export function processEditorPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/processes`;
  pages.get(`${path}/new`, (visit) => showNew(visit));
  pages.post(`${path}/new`, (visit, form) => submit(visit, form, showNew, create), longFormLimit);
  pages.get(`${path}/:process/edit`, (visit) => showEdit(visit));
  pages.post(`${path}/:process/edit`, (visit, form) => submit(visit, form, showEdit, update), longFormLimit);
}

type Show = (visit: Visit, entered?: EnteredProcess, error?: FormError) => Promise<Response>;

const showNew: Show = async (visit, entered, error) => {
  const id = visit.param('organization');
  const data = await visit.run(PARENT, { id, projectId: visit.param('project') });
  const project = visibleProject(data.project, id);
  const page = { title: 'New process', organization: visible(data.organization), project, named: [] };
  return showForm(visit, page, entered ?? { name: '', steps: [newStep()] }, error);
};

const showEdit: Show = async (visit, entered, error) => {
  const { organization, project, process } = await readProcess(visit);
  const { name, version, steps } = process;
  const named = steps.nodes.flatMap(namedBy);
  const page = { title: `Change ${name}`, organization, project, named };
  return showForm(visit, page, entered ?? enteredOf(name, version, steps.nodes), error);
};

/** The people and groups that a step names. */
const namedBy = ({ approvers, groups, escalateTo, escalateToGroup }: ConsoleStepFragment): Person[] => [
  ...[...approvers.nodes, ...groups.nodes, ...escalateTo.nodes],
  ...(escalateToGroup ? [escalateToGroup] : []),
];

interface EditorPage {
  named: readonly Person[];
  title: string;
  organization: PageOrganization;
  project: PageProject;
}

async function showForm(
  visit: Visit,
  { named, ...page }: EditorPage,
  entered: EnteredProcess,
  error?: FormError,
) {
  if (!mayManage(page.project)) throw forbidden('Only admins of the project change its processes.');
  const choices = await processChoices(visit, page.project.id, entered, named);
  const shown = error && refusal(error, entered, choices);
  return consolePage({
    ...{ visit, ...page, error: shown },
    crumbs: [{ href: listOf(visit), text: 'Processes' }],
    children: EditorView({
      ...{ path: visit.path, formToken: visit.formToken, entered, choices, error: shown },
    }),
  });
}

/** Whether something was typed into the search of a field, for which Enter was pressed. */
const isSearching = ({ steps }: EnteredProcess): boolean =>
  steps.some(({ searches }) => SEARCHED.some((field) => searches[field] !== ''));

/** Does what the pressed button says: saves the process, or shows the form again with other steps or people. */
function submit(
  visit: Visit,
  form: URLSearchParams,
  show: Show,
  save: (visit: Visit, entered: EnteredProcess) => Promise<Response>,
): Promise<Response> {
  const entered = enteredIn(form);
  const button = form.get('do') ?? '';
  if (button !== 'save' && !(button === 'enter' && !isSearching(entered)))
    return show(visit, { ...entered, steps: changedSteps(entered.steps, button) });
  const problem = problemOf(entered);
  if (problem) return show(visit, entered, problem);
  return attempt(
    () => save(visit, entered),
    (error) => show(visit, entered, error),
  );
}

async function create(visit: Visit, entered: EnteredProcess): Promise<Response> {
  const { organizationId, projectId } = target(visit);
  const steps = stepInputs(entered).map(({ id: _, ...step }) => step);
  const input = { organizationId, projectId, processes: [{ name: entered.name, steps }] };
  const { createProcesses } = await visit.run(CREATE, { input });
  return seeOther(`${listOf(visit)}/${createProcesses.processes[0]?.id}?done=created`);
}

async function update(visit: Visit, entered: EnteredProcess): Promise<Response> {
  const { name, version } = entered;
  const input = { ...target(visit), name, steps: stepInputs(entered), expectedVersion: version ?? 0 };
  await visit.run(UPDATE, { input });
  return seeOther(`${pathOf(visit)}?done=changed`);
}
