import type { Child } from 'hono/jsx';
import { describedBy, FieldErrorText } from '../../ui/error-summary.tsx';
import { Inline } from '../../ui/inline-text.tsx';
import type { FormError } from './form-error.ts';

interface ControlProps {
  /** Also its id. */
  name: string;
  label: string;
  hint?: string;
  error?: FormError;
}

/** A label, a hint and the error of a control that has the name as its id. */
const Control = ({ name, label, hint, error, children }: ControlProps & { children: Child }) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
    <FieldErrorText id={name} text={error?.at === name ? error.text : undefined} />
    {children}
  </div>
);

const described = ({ name, hint, error }: ControlProps) =>
  describedBy(name, { hint: hint !== undefined, error: error?.at === name });

interface TextProps extends ControlProps {
  value?: string;
  type?: 'text' | 'number' | 'date' | 'email' | 'url' | 'search';
  optional?: boolean;
}

export const TextInput = ({ value, type, optional, ...props }: TextProps) => (
  <Control {...props}>
    <input
      id={props.name}
      name={props.name}
      type={type ?? 'text'}
      value={value}
      required={!optional}
      autocomplete="off"
      spellcheck={false}
      {...described(props)}
    />
  </Control>
);

/** The choice of a file; `accept`: its media types. */
export const FileInput = ({ accept, ...props }: ControlProps & { accept: string }) => (
  <Control {...props}>
    <input id={props.name} name={props.name} type="file" accept={accept} required {...described(props)} />
  </Control>
);

interface LinesProps extends ControlProps {
  value?: string;
  rows?: number;
  optional?: boolean;
  /** Whether the text is code. */
  isCode?: boolean;
}

export const TextArea = ({ value, rows, optional, isCode, ...props }: LinesProps) => (
  <Control {...props}>
    <textarea
      id={props.name}
      name={props.name}
      rows={rows ?? 3}
      class={isCode ? 'code' : undefined}
      required={!optional}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      {...described(props)}
    >
      {value ?? ''}
    </textarea>
  </Control>
);

export interface Choice {
  value: string;
  text: string;
  hint?: string | null;
}

interface SelectProps extends ControlProps {
  choices: readonly Choice[];
  value?: string;
}

export const Select = ({ choices, value, ...props }: SelectProps) => (
  <Control {...props}>
    <select id={props.name} name={props.name} {...described(props)}>
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
  </Control>
);

interface ChoicesProps extends ControlProps {
  choices: readonly Choice[];
  chosen: readonly string[];
  /** Radio buttons: exactly one of them. */
  one?: boolean;
}

/** Check boxes, or radio buttons. */
export const Choices = ({ choices, chosen, one, name, label, hint, error }: ChoicesProps) => (
  <fieldset id={name} tabindex={-1} {...describedBy(name, { hint: !!hint, error: false })}>
    <legend>{label}</legend>
    {hint && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
    <FieldErrorText id={name} text={error?.at === name ? error.text : undefined} />
    {choices.map((choice) => (
      <label class="check">
        <input
          type={one ? 'radio' : 'checkbox'}
          name={name}
          value={choice.value}
          checked={chosen.includes(choice.value)}
        />
        <span>
          {choice.text}
          {choice.hint && (
            <span class="hint">
              <Inline text={choice.hint} />
            </span>
          )}
        </span>
      </label>
    ))}
  </fieldset>
);

interface FormProps {
  action: string;
  formToken: string;
  class?: string;
  /** Whether it has a file. */
  hasFile?: boolean;
  children: Child;
}

/** A form of the console, with the token of the session. */
export const Form = ({ action, formToken, hasFile, children, ...props }: FormProps) => (
  <form
    method="post"
    action={action}
    class={props.class ?? 'lines'}
    enctype={hasFile ? 'multipart/form-data' : undefined}
    novalidate
  >
    <input type="hidden" name="form_token" value={formToken} />
    {children}
  </form>
);

/** A form with one button. `about` is the id of the element that says what it acts on. */
export const ButtonForm = ({
  action,
  formToken,
  text,
  about,
  tone,
}: {
  action: string;
  formToken: string;
  text: string;
  about?: string;
  tone?: 'plain' | 'danger';
}) => (
  <Form action={action} formToken={formToken} class="one">
    <button type="submit" class={`small ${tone ?? 'plain'}`} aria-describedby={about}>
      {text}
    </button>
  </Form>
);

/** A box that has to be checked before something that cannot be undone. */
export const Confirmation = ({ text, error }: { text: Child; error?: FormError }) => (
  <div class="field">
    <FieldErrorText id="confirm" text={error?.at === 'confirm' ? error.text : undefined} />
    <label class="check" for="confirm">
      <input
        id="confirm"
        type="checkbox"
        name="confirm"
        value="yes"
        required
        {...describedBy('confirm', { error: error?.at === 'confirm' })}
      />
      <span>{text}</span>
    </label>
  </div>
);
