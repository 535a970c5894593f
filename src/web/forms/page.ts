import type { OpenForm, OpenQuestion } from '../../domain/forms/form-open.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import { sentence } from '../public/public-pages.ts';
import type { Choice, FormFieldProps } from './field.tsx';
import type { FormProps } from './view.tsx';

/** Up to this number, choices are radio buttons. */
const MAX_RADIO_BUTTONS = 7;

const YES_NO: Choice[] = [
  { value: 'true', label: 'Yes', group: '' },
  { value: 'false', label: 'No', group: '' },
];

export type Answers = ReadonlyMap<string, readonly string[]>;

const nameOf = ({ id }: OpenQuestion): string => `field.${id}`;

/** Reads the submitted form: answers by question id; other parameters are ignored. */
export const readAnswers = (form: URLSearchParams, questions: readonly OpenQuestion[]): Answers =>
  new Map(
    questions.map((question) => {
      const values = form.getAll(nameOf(question)).map((value) => value.replaceAll('\r\n', '\n'));
      const lines = kindOf(question) === 'list' ? values.flatMap((value) => value.split('\n')) : values;
      return [question.id, lines.map((value) => value.trim()).filter((value) => value !== '')];
    }),
  );

function kindOf({
  type,
  field,
  offered,
  acceptsOther,
  multipleValues,
}: OpenQuestion): FormFieldProps['kind'] {
  if (offered.length > 0 && !acceptsOther) {
    if (multipleValues) return 'checks';
    return offered.length > MAX_RADIO_BUTTONS || field.choicesDependOnParent ? 'select' : 'radios';
  }
  if (type === 'BOOL') return 'radios';
  if (multipleValues) return 'list';
  if (type === 'NUMBER' || type === 'CURRENCY') return 'number';
  if (type === 'DATE') return 'date';
  if (offered.length > 0) return 'suggest';
  return field.multipleLines ? 'lines' : 'text';
}

function choicesOf({ type, offered, required }: OpenQuestion): Choice[] {
  if (offered.length > 0) {
    const label = (value: string) =>
      YES_NO.find((each) => type === 'BOOL' && each.value === value)?.label ?? value;
    return offered.map(({ value, parentValue }) => ({ value, label: label(value), group: parentValue }));
  }
  if (type !== 'BOOL') return [];
  return required ? YES_NO : [...YES_NO, { value: '', label: 'No answer', group: '' }];
}

function hintOf(question: OpenQuestion): string | undefined {
  const { minimum, maximum, multipleValues } = question;
  if (kindOf(question) === 'list') return 'One answer per line.';
  if (multipleValues) return 'Choose all that apply.';
  if (minimum && maximum) return `From ${minimum.toFixed()} to ${maximum.toFixed()}.`;
  if (minimum) return `${minimum.toFixed()} or more.`;
  return maximum ? `${maximum.toFixed()} at most.` : undefined;
}

function fieldOf(
  question: OpenQuestion,
  submitted: Answers | undefined,
  error: string | undefined,
): FormFieldProps {
  return {
    id: `question-${question.id}`,
    name: nameOf(question),
    label: question.field.label || question.field.name,
    kind: kindOf(question),
    required: question.required,
    rows: question.field.rows,
    hint: hintOf(question),
    choices: choicesOf(question),
    values: submitted?.get(question.id) ?? question.defaultValues,
    error: error && sentence(error),
  };
}

export function formProps(
  action: string,
  { form, organizationName, questions }: OpenForm,
  submitted?: Answers,
  errors?: ReadonlyMap<string, string>,
): FormProps {
  const fields = questions.map((question) => fieldOf(question, submitted, errors?.get(question.id)));
  return {
    action,
    script: PAGE_SCRIPT.path,
    name: form.name,
    organizationName,
    fields,
    errors:
      errors &&
      fields.flatMap(({ id, label, error }) =>
        error ? [{ at: id, text: `${label}: ${error.charAt(0).toLowerCase()}${error.slice(1)}` }] : [],
      ),
  };
}
