import { Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import type { ProcessChoices } from './choices.ts';
import { type EnteredProcess, MAX_STEPS, stepField } from './entered.ts';
import { DecisionFields, DueFields, type StepFieldsProps } from './step-fields.tsx';

interface EditorProps {
  /** The path of the form. */
  path: string;
  formToken: string;
  entered: EnteredProcess;
  choices: ProcessChoices;
  error?: FormError;
}

/** The form of a process. Its buttons submit all of it: those of steps show it again with what was entered. */
export const EditorView = ({ path, formToken, entered, choices, error }: EditorProps) => {
  const count = entered.steps.length;
  return (
    <Form action={path} formToken={formToken} class="process">
      <button type="submit" name="do" value="enter" class="unseen" tabindex={-1}>
        Save
      </button>
      <input type="hidden" name="count" value={count} />
      {entered.version !== undefined && <input type="hidden" name="version" value={entered.version} />}
      <div class="card">
        <TextInput {...{ name: 'name', label: 'Name of the process', error, value: entered.name }} />
      </div>
      {entered.steps.map((step, position) => (
        <StepCard {...{ path, step, position, count, choices, error }} />
      ))}
      <div class="buttons">
        {count < MAX_STEPS && (
          <button type="submit" name="do" value="add" class="plain" formaction={`${path}#step-${count + 1}`}>
            Add a step
          </button>
        )}
        <button type="submit" name="do" value="save">
          Save the process
        </button>
      </div>
    </Form>
  );
};

const StepCard = ({ count, ...props }: StepFieldsProps & { count: number }) => {
  const { position, step } = props;
  const title = `step-${position + 1}`;
  return (
    <section class="card" aria-labelledby={title}>
      <h2 id={title} tabindex={-1}>
        Step {position + 1}
      </h2>
      <input type="hidden" name={stepField(position, 'id')} value={step.id} />
      <DecisionFields {...props} />
      <DueFields {...props} />
      <div class="buttons">
        {position > 0 && <StepButton {...props} act="up" text="Move up" target={position} />}
        {position < count - 1 && <StepButton {...props} act="down" text="Move down" target={position + 2} />}
        {count > 1 && <StepButton {...props} act="remove" text="Remove" target={Math.max(position, 1)} />}
      </div>
    </section>
  );
};

interface StepButtonProps extends StepFieldsProps {
  act: string;
  text: string;
  /** The number of the step that is shown then, from 1. */
  target: number;
}

const StepButton = ({ path, position, act, text, target }: StepButtonProps) => (
  <button
    {...{ type: 'submit', name: 'do', value: `${act}.${position}`, class: 'small plain' }}
    formaction={`${path}#step-${target}`}
    aria-describedby={`step-${position + 1}`}
  >
    {text}
  </button>
);
