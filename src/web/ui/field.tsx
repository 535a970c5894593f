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
  /** Which letters keyboards begin with as capitals: by default those of words in texts. */
  capitalize?: 'none' | 'words';
}

/** A required field for an address, a password or a short text. */
export const Field = ({ name, label, error, focus, capitalize, ...input }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <FieldErrorText id={name} text={error} />
    <input
      id={name}
      name={name}
      {...input}
      autocapitalize={capitalize ?? (input.type === 'text' ? 'words' : 'none')}
      spellcheck={false}
      required
      autofocus={focus}
      {...describedBy(name, { error: error !== undefined })}
    />
  </div>
);
