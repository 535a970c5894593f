import { withoutHidden } from '../../lib/text/hidden-text.js';
import { formatLocalNumber, readLocalNumber } from '../../lib/text/local-number.js';
import { describedBy, FieldErrorText } from '../ui/error-summary.tsx';

export interface Choice {
  value: string;
  label: string;
  /** Choices of one group are shown together. */
  group: string;
}

export interface FormFieldProps {
  id: string;
  /** The parameter's name in the submitted form. */
  name: string;
  label: string;
  /** The control; `suggest` accepts texts other than its choices; `list` has one answer per line. */
  kind: 'text' | 'lines' | 'list' | 'number' | 'date' | 'radios' | 'checks' | 'select' | 'suggest';
  required: boolean;
  rows?: number;
  hint?: string;
  choices: readonly Choice[];
  values: readonly string[];
  /** The language in which a number is read. */
  locale?: string;
  error?: string;
}

/** One question of a form. */
export const FormField = (props: FormFieldProps) =>
  props.kind === 'radios' || props.kind === 'checks' ? <Options {...props} /> : <Single {...props} />;

const Optional = ({ required }: { required: boolean }) =>
  required ? null : <span class="optional"> (optional)</span>;

const Hint = ({ id, hint }: FormFieldProps) =>
  hint ? (
    <span class="hint" id={`${id}-hint`}>
      {hint}
    </span>
  ) : null;

const described = ({ id, hint, error }: FormFieldProps) =>
  describedBy(id, { hint: hint !== undefined, error: error !== undefined });

const Single = (props: FormFieldProps) => (
  <div class="field">
    <label for={props.id}>
      <bdi>{withoutHidden(props.label)}</bdi>
      <Optional required={props.required} />
    </label>
    <Hint {...props} />
    <FieldErrorText id={props.id} text={props.error} />
    <Control {...props} />
  </div>
);

const Control = (props: FormFieldProps) => {
  const { id, name, kind, required, values } = props;
  const common = { id, name, required, ...described(props) };
  if (kind === 'select') return <Select {...props} />;
  if (kind === 'lines' || kind === 'list')
    return (
      <textarea {...common} rows={Math.min(Math.max(props.rows ?? 1, 3), 20)}>
        {values.join('\n')}
      </textarea>
    );
  const typed = {
    text: { type: 'text' },
    suggest: { type: 'text', list: `${id}-list`, autocomplete: 'off' },
    number: { type: 'text', inputmode: 'decimal', autocomplete: 'off' },
    date: { type: 'date' },
  } as const;
  return (
    <>
      <input
        {...common}
        {...typed[kind as keyof typeof typed]}
        data-locale={props.locale}
        value={values[0] ?? ''}
      />
      {props.locale && <ReadAs id={id} locale={props.locale} text={values[0] ?? ''} />}
      {kind === 'suggest' && (
        <datalist id={`${id}-list`}>
          {props.choices.map(({ value }) => (
            <option value={value} />
          ))}
        </datalist>
      )}
    </>
  );
};

/** How a number is understood, where it was not written in that way; the script keeps it up to date. */
const ReadAs = ({ id, locale, text }: { id: string; locale: string; text: string }) => {
  const number = readLocalNumber(text, locale);
  const shown = number && formatLocalNumber(number, locale);
  return (
    <output class="hint" for={id} id={`${id}-read`}>
      {shown && shown !== text ? `Read as ${shown}` : ''}
    </output>
  );
};

const Select = (props: FormFieldProps) => {
  const { id, name, required, choices, values } = props;
  const groups = [...new Set(choices.map(({ group }) => group))];
  const options = (group: string) =>
    choices
      .filter((each) => each.group === group)
      .map(({ value, label }) => (
        <option value={value} selected={values.includes(value)}>
          {label}
        </option>
      ));
  return (
    <select id={id} name={name} required={required} {...described(props)}>
      <option value="">{required ? 'Choose one' : 'None'}</option>
      {groups.map((group) => (group ? <optgroup label={group}>{options(group)}</optgroup> : options(group)))}
    </select>
  );
};

/** The first option has the id of the question, so that the summary of errors can link to it. */
const Options = (props: FormFieldProps) => {
  const { id, name, kind, label, required, choices, values, error } = props;
  return (
    <fieldset
      class="field"
      {...describedBy(id, { hint: props.hint !== undefined, error: error !== undefined })}
    >
      <legend>
        <bdi>{withoutHidden(label)}</bdi>
        <Optional required={required} />
      </legend>
      <Hint {...props} />
      <FieldErrorText id={id} text={error} />
      {choices.map(({ value, label: text }, index) => (
        <label class="check">
          <input
            type={kind === 'radios' ? 'radio' : 'checkbox'}
            id={index === 0 ? id : undefined}
            name={name}
            value={value}
            checked={values.includes(value)}
            required={kind === 'radios' && required}
          />
          <bdi>{withoutHidden(text)}</bdi>
        </label>
      ))}
    </fieldset>
  );
};
