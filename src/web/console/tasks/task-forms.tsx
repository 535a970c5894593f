import { Form, TextInput } from '../ui/fields.tsx';
import type { TaskViewProps } from './task.ts';

/** What an editor of the project can do with a task. */
export const TaskForms = (props: TaskViewProps) =>
  props.task.state === 'OPEN' ? (
    <>
      <CloseForm {...props} />
      <AssignForm {...props} />
    </>
  ) : (
    <section class="card" aria-label="Reopen">
      <p>The task is closed. Whoever reopens it can assign it again.</p>
      <Form action={`${props.path}/state`} formToken={props.formToken} class="one">
        <button type="submit" name="do" value="reopen" class="plain">
          Reopen the task
        </button>
      </Form>
    </section>
  );

const CloseForm = ({ path, formToken, error, entered }: TaskViewProps) => (
  <section class="card" aria-labelledby="close">
    <h2 id="close">Close the task</h2>
    <Form action={`${path}/state`} formToken={formToken}>
      <TextInput
        {...{ name: 'result', label: 'Result, or the reason (optional)', error, optional: true }}
        value={entered?.result}
      />
      <div class="buttons">
        <button type="submit" name="do" value="complete">
          Complete
        </button>
        <button type="submit" name="do" value="deny" class="danger">
          Deny
        </button>
      </div>
    </Form>
  </section>
);

const AssignForm = ({ path, formToken, task, error, entered }: TaskViewProps) => (
  <section class="card" aria-labelledby="assign">
    <h2 id="assign">Assign it</h2>
    <Form action={`${path}/assignee`} formToken={formToken} class="inline">
      <TextInput
        {...{ name: 'assigneeEmail', label: 'E-mail address', type: 'email', error, optional: true }}
        value={entered?.assigneeEmail ?? task.assigneeEmail ?? ''}
        hint="Empty for nobody."
      />
      <button type="submit" class="small plain">
        Assign
      </button>
    </Form>
  </section>
);
