import { Name, shownName } from '../../ui/name.tsx';
import { RunRow } from '../approvals/run-row.tsx';
import { Form, Select } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Rows } from '../ui/parts.tsx';
import { mayManage, projectHref } from '../ui/project-tabs.tsx';
import type { Startable } from './start.ts';

interface StartViewProps extends Startable {
  /** The path of the page; that of the form is `processes` below it. */
  path: string;
  formToken: string;
  /** Whether the viewer is an editor, and the document or task is open. */
  mayStart: boolean;
  error?: FormError;
  /** The process that was chosen, after a refusal. */
  chosen?: string;
}

/** The processes that run on a document or task, the last of those that did, and the form that starts one. */
export const StartView = (props: StartViewProps) => (
  <section class="card" aria-labelledby="processes">
    <h2 id="processes">Approval</h2>
    <Rows count={props.runs.length} empty="No process was started on it.">
      {props.runs.map((run) => (
        <RunRow run={run} organizationId={props.project.organizationId} />
      ))}
    </Rows>
    {props.mayStart &&
      (props.project.processes.nodes.length > 0 ? <StartForm {...props} /> : <NoProcess {...props} />)}
  </section>
);

const StartForm = ({ path, formToken, project, error, chosen }: StartViewProps) => (
  <Form action={`${path}/processes`} formToken={formToken}>
    <Select
      {...{ name: 'processId', label: 'Process', error, value: chosen }}
      choices={project.processes.nodes.map(({ id, name }) => ({ value: id, text: shownName(name, 80) }))}
    />
    <button type="submit" class="plain">
      Start
    </button>
  </Form>
);

const NoProcess = ({ project }: StartViewProps) =>
  mayManage(project) ? (
    <p>
      <a href={projectHref(project, 'processes/new')}>
        Create a process in <Name of={project.name} maxLength={60} />
      </a>{' '}
      to have it approved.
    </p>
  ) : (
    <p>The project has no process that can be started. Its admins create one.</p>
  );
