import { dayOfSigning } from '../../domain/signing/signing-day.ts';
import type { OpenedSigning } from '../../domain/signing/signing-open.ts';
import type { SigningView } from '../../domain/signing/signing-view.ts';
import type { SignatureField, SignatureFieldType } from '../../generated/prisma/client.ts';
import { isTimeZone } from '../../lib/local-time.ts';
import { toHex } from '../../lib/text/hex.ts';
import { readLocalDate } from '../../lib/text/local-date.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import { sentence } from '../public/public-pages.ts';
import { type Mark, positionStyle, type Rectangle } from '../public/sheet.tsx';
import type { FieldError } from '../ui/error-summary.tsx';
import type { SigningFieldProps } from './field.tsx';
import type { SigningProps } from './view.tsx';

/** Maximum number of pages shown; further ones are only in the file. */
const MAX_SHEETS = 300;

export const CONSENT =
  'I agree to sign this document electronically. My signature here binds me as one on paper does.';

interface FieldKind {
  name: string;
  input: SigningFieldProps['kind'];
  autocomplete?: string;
  /** Default size in percent of the page. */
  width: number;
  height: number;
  value?: (signing: OpenedSigning, day: string) => string;
}

const FIELD_KINDS: Record<SignatureFieldType, FieldKind> = {
  SIGNATURE: { name: 'Signature', input: 'signature', autocomplete: 'name', width: 30, height: 5 },
  INITIALS: { name: 'Initials', input: 'signature', width: 12, height: 4 },
  FULL_NAME: {
    name: 'Full name',
    input: 'text',
    autocomplete: 'name',
    width: 30,
    height: 3,
    value: ({ fullName }) => fullName,
  },
  EMAIL: {
    name: 'E-mail address',
    input: 'email',
    autocomplete: 'email',
    width: 30,
    height: 3,
    value: ({ email }) => shownEmail(email),
  },
  TITLE: { name: 'Job title', input: 'text', autocomplete: 'organization-title', width: 30, height: 3 },
  DATE: {
    name: 'Date',
    input: 'date',
    width: 18,
    height: 3,
    value: (_, day) => day,
  },
  TEXT: { name: 'Text', input: 'lines', width: 30, height: 3 },
};

/** The submitted form; values by field id. */
export interface SubmittedFields {
  values: ReadonlyMap<string, string>;
  drawn: ReadonlyMap<string, string>;
  consent: boolean;
  /** As the script sent it; null without one, or for a zone that is not known here. */
  timeZone: string | null;
}

/** Reads the signing form; dates in the language of its reader. Of a signature that was both drawn and typed, the chosen one is used. */
export function readSubmittedFields(
  form: URLSearchParams,
  fields: readonly SignatureField[],
  locale: string,
): SubmittedFields {
  const drawn = new Map<string, string>();
  const typed = new Map<string, string>();
  for (const { id, type } of fields) {
    if (form.get(`mode.${id}`) === 'draw') drawn.set(id, form.get(`drawn.${id}`) ?? '');
    else {
      const text = form.get(`field.${id}`) ?? '';
      typed.set(id, type === 'DATE' ? (readLocalDate(text, locale) ?? text) : text);
    }
  }
  const timeZone = form.get('timeZone') ?? '';
  return {
    values: new Map([...typed, ...drawn]),
    drawn,
    consent: form.get('consent') === 'yes',
    timeZone: isTimeZone(timeZone) ? timeZone : null,
  };
}

interface ShownDocument {
  base: string;
  /** The zone of the signer's account; null if there is none. */
  timeZone: string | null;
  signing: OpenedSigning;
  view: SigningView;
}

/** Documents that are a picture, which is shown upright as on the page that is sealed. */
const PICTURE = /^image\/(?:png|jpeg)$/;

/** How many pages of a document can be shown. */
export const shownPages = ({ contentType, pageCount }: SigningView['file']): number =>
  PICTURE.test(contentType) ? 1 : contentType === 'application/pdf' ? (pageCount ?? 0) : 0;

/** The pages of a document with the marks on them, and the CSS that positions the marks. */
export function sheetsOf({ file, ownFields, otherFields }: SigningView) {
  const count = shownPages(file);
  const rectangles: (Rectangle & { id: string })[] = [];
  const marks = new Map<number, Mark[]>();
  for (const field of [...ownFields, ...otherFields]) {
    if (field.x >= 100 || field.y >= 100) continue;
    const open = ownFields.includes(field);
    if (!open && !field.value) continue;
    rectangles.push({ id: markId(field), ...rectangleOf(field) });
    marks.set(field.pageIndex, [...(marks.get(field.pageIndex) ?? []), markOf(field, open)]);
  }
  const sheets = Array.from({ length: Math.min(count, MAX_SHEETS) }, (_, index) => ({
    number: index + 1,
    marks: marks.get(index) ?? [],
  }));
  return { sheets, style: positionStyle(rectangles) };
}

const markId = ({ id }: SignatureField): string => `mark-${id}`;
const inputId = ({ id }: SignatureField): string => `input-${id}`;
const labelOf = ({ type, label }: SignatureField): string => label || FIELD_KINDS[type].name;

/** A completed field as a line of text. */
export const signedValue = (field: SignatureField): { label: string; value: string } => ({
  label: labelOf(field),
  value: field.value?.startsWith('data:') ? 'drawn' : (field.value ?? 'left empty'),
});

const markOf = (field: SignatureField, open: boolean): Mark => ({
  id: markId(field),
  label: labelOf(field),
  handwritten: FIELD_KINDS[field.type].input === 'signature',
  ...(open ? { input: inputId(field) } : { value: field.value ?? '' }),
});

/** Clipped to the page. */
function rectangleOf({ type, x, y, width, height }: SignatureField): Rectangle {
  const kind = FIELD_KINDS[type];
  return {
    x,
    y,
    width: Math.min(width || kind.width, 100 - x),
    height: Math.min(height || kind.height, 100 - y),
  };
}

export function signingProps(
  { base, signing, view, timeZone: accountZone }: ShownDocument,
  submitted?: SubmittedFields,
  errors?: { values: ReadonlyMap<string, string>; consent?: string },
): SigningProps {
  const { sheets, style } = sheetsOf(view);
  const timeZone = submitted?.timeZone ?? accountZone;
  const day = dayOfSigning(new Date(), timeZone);
  const errorOf = ({ id }: SignatureField) => errors?.values.get(id);
  return {
    base,
    script: PAGE_SCRIPT.path,
    day: { text: day, timeZone: timeZone ?? 'UTC' },
    style,
    documentName: signing.documentName,
    sender: view.sender,
    endsAt: signing.endsAt,
    signer: signing,
    sha256: toHex(view.file.sha256),
    sheets,
    fields: view.ownFields.map((field): SigningFieldProps => {
      const error = errorOf(field);
      return {
        id: inputId(field),
        fieldId: field.id,
        kind: FIELD_KINDS[field.type].input,
        label: labelOf(field),
        required: field.required,
        page: field.pageIndex < sheets.length ? field.pageIndex + 1 : undefined,
        mark: markId(field),
        autocomplete: FIELD_KINDS[field.type].autocomplete,
        ...(submitted ? submittedValue(field, submitted) : valueBefore(field, signing, day)),
        error: error && sentence(error),
      };
    }),
    consent: { text: CONSENT, checked: submitted?.consent ?? false, error: errors?.consent },
    errors: errors && [
      ...view.ownFields.flatMap((field): FieldError[] => {
        const error = errorOf(field);
        return error ? [{ at: inputId(field), text: sentence(`${labelOf(field)} ${error}`) }] : [];
      }),
      ...(errors.consent ? [{ at: 'consent', text: errors.consent }] : []),
    ],
  };
}

const valueBefore = ({ type }: SignatureField, signing: OpenedSigning, day: string) => ({
  value: FIELD_KINDS[type].value?.(signing, day) ?? '',
});

function submittedValue(field: SignatureField, submitted: SubmittedFields) {
  const drawn = submitted.drawn.get(field.id);
  return drawn === undefined ? { value: submitted.values.get(field.id) ?? '' } : { value: '', drawn };
}
