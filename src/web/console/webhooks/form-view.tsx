import { Form, Select, TextArea, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import type { EnteredWebhook } from './entered.ts';
import { EditorButton } from './selection-editor.tsx';
import type { Trial } from './trial.ts';
import { FormButtons, TrialResult } from './trial-view.tsx';

interface Project {
  id: string;
  name: string;
}

interface WebhookFieldsProps {
  projects: readonly Project[];
  error?: FormError;
  entered?: EnteredWebhook;
}

/** The one that is chosen is among the choices, also where it is not among the first projects. */
const withChosen = (projects: readonly Project[], chosen: string | undefined): readonly Project[] =>
  !chosen || projects.some(({ id }) => id === chosen)
    ? projects
    : [...projects, { id: chosen, name: chosen }];

/** The fields of a webhook, new or changed. */
export const WebhookFields = ({ projects, error, entered }: WebhookFieldsProps) => (
  <>
    <TextInput
      {...{ name: 'url', label: 'Address', type: 'url', error, value: entered?.url }}
      hint="Events are posted to it, such as https://app.example/hook."
    />
    <TextArea
      {...{
        name: 'kinds',
        label: 'Kinds of events',
        error,
        value: entered?.kinds,
        isCode: true,
        optional: true,
      }}
      hint="One on each line, such as document.signed, or task.* for all of tasks. All events if it is empty."
    />
    <Select
      {...{ name: 'projectId', label: 'Project', error, value: entered?.projectId ?? '' }}
      choices={[
        { value: '', text: 'All projects' },
        ...withChosen(projects, entered?.projectId).map(({ id, name }) => ({ value: id, text: name })),
      ]}
    />
    <TextArea
      {...{
        name: 'query',
        label: 'What to send',
        error,
        value: entered?.query,
        isCode: true,
        optional: true,
      }}
      hint="A selection of Event, such as { kind subject { ... on Task { name } } }. If it is empty, the id, kind, time, subject and changes are sent."
      rows={5}
    />
    <EditorButton field="query" />
  </>
);

interface NewWebhookViewProps extends WebhookFieldsProps {
  action: string;
  formToken: string;
  trial?: Trial;
}

export const NewWebhookView = ({ action, formToken, trial, ...fields }: NewWebhookViewProps) => (
  <section class="card" aria-label="New webhook">
    <p>
      What is sent is read with your rights at that moment. How receivers check the signature:{' '}
      <a href="/docs/webhooks">Webhooks</a>.
    </p>
    <Form action={action} formToken={formToken}>
      <WebhookFields {...fields} />
      <FormButtons action={action} save="Create the webhook" />
    </Form>
    {trial && <TrialResult trial={trial} />}
  </section>
);
