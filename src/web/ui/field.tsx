import { describedBy, FieldErrorText } from './error-summary.tsx';

interface FieldProps {
  /** Also its id. */
  name: string;
  label: string;
  type: string;
  autocomplete: string;
  value?: string;
  error?: string;
  focus?: boolean;
}

/** A required field for an address or a password. */
export const Field = ({ name, label, error, focus, ...input }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <FieldErrorText id={name} text={error} />
    <input
      id={name}
      name={name}
      {...input}
      autocapitalize={input.type === 'text' ? 'words' : 'none'}
      spellcheck={false}
      required
      autofocus={focus}
      {...describedBy(name, { error: error !== undefined })}
    />
  </div>
);
