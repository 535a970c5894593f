import { Notice } from '../public/states.tsx';
import { type Fault, FaultNote } from '../ui/fault-note.tsx';
import { Name, shownName } from '../ui/name.tsx';
import { PublicFrame } from '../ui/public-frame.tsx';
import { FormField, type FormFieldProps } from './field.tsx';

export interface FormProps {
  action: string;
  script: string;
  name: string;
  organizationName: string;
  fields: readonly FormFieldProps[];
  faults?: readonly Fault[];
}

/** A public form. */
export const Form = ({ action, script, name, organizationName, fields, faults }: FormProps) => (
  <PublicFrame title={faults ? `Error: ${shownName(name)}` : shownName(name)} script={script} layout="narrow">
    <form class="card" method="post" action={action} novalidate data-once>
      {faults && (
        <FaultNote
          faults={faults}
          title={
            faults.length === 1
              ? 'One answer needs your attention'
              : `${faults.length} answers need your attention`
          }
        />
      )}
      <p class="asker who">
        <strong>
          <Name of={organizationName} />
        </strong>{' '}
        asks you to fill in
      </p>
      <h1 class="who form-name">
        <Name of={name} />
      </h1>
      {fields.map((field) => (
        <FormField {...field} />
      ))}
      <div class="actions">
        <button type="submit">Send</button>
      </div>
    </form>
  </PublicFrame>
);

interface FormSentProps extends Pick<FormProps, 'name' | 'organizationName'> {
  /** Link to fill in the form again. */
  link?: { href: string; text: string };
}

/** Shown after the answers were sent. */
export const FormSent = ({ name, organizationName, link }: FormSentProps) => (
  <Notice
    title="Thank you"
    good
    text={
      <>
        Your answers to “<Name of={name} />” have been sent to <Name of={organizationName} />.
      </>
    }
    link={link}
  />
);
