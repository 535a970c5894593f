import { Form, TextArea, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';

/** What was typed into the form of a new task. */
export interface EnteredTask {
  name: string;
  description: string;
  assigneeEmail: string;
  /** A day in UTC, or empty. */
  dueAt: string;
}

interface NewTaskProps {
  path: string;
  formToken: string;
  error?: FormError;
  entered?: EnteredTask;
}

export const NewTaskView = ({ path, formToken, error, entered }: NewTaskProps) => (
  <section class="card" aria-label="New task">
    <Form action={path} formToken={formToken}>
      <TextInput {...{ name: 'name', label: 'Name', error, value: entered?.name }} />
      <TextArea
        {...{ name: 'description', label: 'What is to be done (optional)', error, optional: true }}
        value={entered?.description}
      />
      <TextInput
        {...{ name: 'assigneeEmail', label: 'Assigned to (optional)', type: 'email', error, optional: true }}
        value={entered?.assigneeEmail}
        hint="E-mail address of a person of the project."
      />
      <TextInput
        {...{ name: 'dueAt', label: 'Due (optional)', type: 'date', error, optional: true }}
        value={entered?.dueAt}
        hint="At the end of this day, in UTC."
      />
      <button type="submit">Create the task</button>
    </Form>
  </section>
);
