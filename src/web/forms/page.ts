import type { OpenForm, OpenQuestion } from '../../domain/forms/form-open.ts';
import { formatLocalNumber } from '../../lib/text/local-number.js';
import { faceStyle } from '../public/face-style.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import { sentence } from '../public/public-pages.ts';
import { errorText, isNumber, readTyped, shownAnswer, typedText } from './answer-text.ts';
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

/** Controls into which answers are typed, as their reader writes them. */
const TYPED: readonly FormFieldProps['kind'][] = ['number', 'date', 'list'];

/** The answers as they are stored: what was typed is read in the language of its reader. */
export const storedAnswers = (typed: Answers, questions: readonly OpenQuestion[], locale: string): Answers =>
  new Map(
    questions.map((question) => {
      const values = typed.get(question.id) ?? [];
      const isTyped = TYPED.includes(kindOf(question));
      return [question.id, isTyped ? values.map((value) => readTyped(question, value, locale)) : values];
    }),
  );

/** Reads the submitted form as it was typed: answers by question id; other parameters are ignored. */
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
  if (isNumber({ type })) return 'number';
  if (type === 'DATE') return 'date';
  if (offered.length > 0) return 'suggest';
  return field.multipleLines ? 'lines' : 'text';
}

function choicesOf(question: OpenQuestion, locale: string): Choice[] {
  const { type, offered, required } = question;
  if (offered.length > 0) {
    const label = (value: string) =>
      YES_NO.find((each) => type === 'BOOL' && each.value === value)?.label ??
      typedText(question, value, locale);
    return offered.map(({ value, parentValue }) => ({ value, label: label(value), group: parentValue }));
  }
  if (type !== 'BOOL') return [];
  return required ? YES_NO : [...YES_NO, { value: '', label: 'No answer', group: '' }];
}

function hintOf(question: OpenQuestion, locale: string): string | undefined {
  const { multipleValues } = question;
  const limit = (value: OpenQuestion['minimum']) => value && formatLocalNumber(value.toFixed(), locale);
  const [minimum, maximum] = [limit(question.minimum), limit(question.maximum)];
  if (kindOf(question) === 'list') return 'One answer per line.';
  if (multipleValues) return 'Choose all that apply.';
  if (minimum && maximum) return `From ${minimum} to ${maximum}.`;
  if (minimum) return `${minimum} or more.`;
  return maximum ? `${maximum} at most.` : undefined;
}

function fieldOf(
  question: OpenQuestion,
  locale: string,
  submitted: Answers | undefined,
  error: string | undefined,
): FormFieldProps {
  const values = submitted?.get(question.id);
  const defaults = question.defaultValues;
  const kind = kindOf(question);
  return {
    id: `question-${question.id}`,
    name: nameOf(question),
    label: question.field.label || question.field.name,
    kind,
    required: question.required,
    rows: question.field.rows,
    hint: hintOf(question, locale),
    choices: choicesOf(question, locale),
    values:
      values ??
      (TYPED.includes(kind) ? defaults.map((value) => typedText(question, value, locale)) : defaults),
    locale: kind === 'number' ? locale : undefined,
    error: error && sentence(errorText(question, error, locale)),
  };
}

export function formProps(
  action: string,
  { form, organizationName, questions, face }: OpenForm,
  { locale, token }: { locale: string; token: string },
  submitted?: Answers,
  errors?: ReadonlyMap<string, string>,
): FormProps {
  const fields = questions.map((question) => fieldOf(question, locale, submitted, errors?.get(question.id)));
  return {
    action,
    token,
    script: PAGE_SCRIPT.path,
    name: form.name,
    organizationName,
    fields,
    style: faceStyle(face),
    errors:
      errors &&
      fields.flatMap(({ id, label, error }) =>
        error ? [{ at: id, text: `${label}: ${error.charAt(0).toLowerCase()}${error.slice(1)}` }] : [],
      ),
  };
}

/** The stored answers whose meaning depends on a language, as they were understood. */
export const shownAnswers = (
  { questions }: OpenForm,
  received: Answers,
  locale: string,
): { label: string; text: string }[] =>
  questions.flatMap((question) => {
    const texts = (received.get(question.id) ?? []).flatMap(
      (value) => shownAnswer(question, value, locale) ?? [],
    );
    const label = question.field.label || question.field.name;
    return texts.length > 0 ? [{ label, text: texts.join('; ') }] : [];
  });
