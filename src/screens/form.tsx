import { type Fault, FaultNote } from './fault-note.tsx';
import { FormField, type FormFieldProps } from './form-field.tsx';
import { PublicFrame } from './public-frame.tsx';

export interface FormProps {
  action: string;
  script: string;
  name: string;
  organizationName: string;
  fields: readonly FormFieldProps[];
  faults?: readonly Fault[];
}

/** A form that is filled in by whoever has its link. */
export const Form = ({ action, script, name, organizationName, fields, faults }: FormProps) => (
  <PublicFrame title={faults ? `Error: ${name}` : name} script={script} layout="narrow">
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
        <strong>{organizationName}</strong> asks you to fill in
      </p>
      <h1 class="who form-name">{name}</h1>
      {fields.map((field) => (
        <FormField {...field} />
      ))}
      <div class="actions">
        <button type="submit">Send</button>
      </div>
    </form>
  </PublicFrame>
);
