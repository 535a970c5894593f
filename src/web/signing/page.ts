import type { OpenedSigning } from '../../domain/signing/signing-open.ts';
import type { SigningView } from '../../domain/signing/signing-view.ts';
import type { SignatureField, SignatureFieldType } from '../../generated/prisma/client.ts';
import { PAGE_SCRIPT } from '../public/page-script.ts';
import { sentence } from '../public/public-pages.ts';
import { type Mark, type Place, placesStyle } from '../public/sheet.tsx';
import type { Fault } from '../ui/fault-note.tsx';
import type { SigningFieldProps } from './field.tsx';
import type { SigningProps } from './view.tsx';

/** More pages than these are in the file alone. */
const MOST_SHEETS = 300;

export const CONSENT =
  'I agree to sign this document electronically. My signature here binds me as one on paper does.';

interface Kind {
  name: string;
  input: SigningFieldProps['kind'];
  autocomplete?: string;
  /** In percent of the page, where the field does not say. */
  width: number;
  height: number;
  value?: (signing: OpenedSigning) => string;
}

const KINDS: Record<SignatureFieldType, Kind> = {
  SIGNATURE: { name: 'Signature', input: 'ink', autocomplete: 'name', width: 30, height: 5 },
  INITIALS: { name: 'Initials', input: 'ink', width: 12, height: 4 },
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
    value: ({ email }) => email,
  },
  TITLE: { name: 'Job title', input: 'text', autocomplete: 'organization-title', width: 30, height: 3 },
  DATE: {
    name: 'Date',
    input: 'date',
    width: 18,
    height: 3,
    value: () => new Date().toISOString().slice(0, 10),
  },
  TEXT: { name: 'Text', input: 'lines', width: 30, height: 3 },
};

/** What was given in a form, by field. */
export interface Given {
  values: ReadonlyMap<string, string>;
  drawn: ReadonlyMap<string, string>;
  consent: boolean;
}

/** Reads the signing form: of a signature that was drawn and typed, the chosen one counts. */
export function givenIn(form: URLSearchParams, fields: readonly SignatureField[]): Given {
  const drawn = new Map<string, string>();
  const typed = new Map<string, string>();
  for (const { id } of fields) {
    if (form.get(`way.${id}`) === 'draw') drawn.set(id, form.get(`drawn.${id}`) ?? '');
    else typed.set(id, form.get(`field.${id}`) ?? '');
  }
  return { values: new Map([...typed, ...drawn]), drawn, consent: form.get('consent') === 'yes' };
}

interface Shown {
  base: string;
  signing: OpenedSigning;
  view: SigningView;
}

/** The sheets of a document with the marks on them, and the style that places these. */
export function sheetsOf({ view: { revision, ownFields, otherFields } }: Omit<Shown, 'base'>) {
  const count = revision.contentType === 'application/pdf' ? (revision.pageCount ?? 0) : 0;
  const places: (Place & { id: string })[] = [];
  const marks = new Map<number, Mark[]>();
  for (const field of [...ownFields, ...otherFields]) {
    if (field.x >= 100 || field.y >= 100) continue;
    const open = ownFields.includes(field);
    if (!open && !field.value) continue;
    places.push({ id: markId(field), ...placeOf(field) });
    marks.set(field.pageIndex, [...(marks.get(field.pageIndex) ?? []), markOf(field, open)]);
  }
  const sheets = Array.from({ length: Math.min(count, MOST_SHEETS) }, (_, index) => ({
    number: index + 1,
    marks: marks.get(index) ?? [],
  }));
  return { sheets, style: placesStyle(places) };
}

const markId = ({ id }: SignatureField): string => `mark-${id}`;
const inputId = ({ id }: SignatureField): string => `input-${id}`;
const labelOf = ({ type, label }: SignatureField): string => label || KINDS[type].name;

const markOf = (field: SignatureField, open: boolean): Mark => ({
  id: markId(field),
  label: labelOf(field),
  written: KINDS[field.type].input === 'ink',
  ...(open ? { input: inputId(field) } : { value: field.value ?? '' }),
});

/** Within the page, whatever the form says. */
function placeOf({ type, x, y, width, height }: SignatureField): Place {
  const kind = KINDS[type];
  return {
    x,
    y,
    width: Math.min(width || kind.width, 100 - x),
    height: Math.min(height || kind.height, 100 - y),
  };
}

export function signingProps(
  { base, signing, view }: Shown,
  given?: Given,
  faults?: { values: ReadonlyMap<string, string>; consent?: string },
): SigningProps {
  const { sheets, style } = sheetsOf({ signing, view });
  const faultOf = ({ id }: SignatureField) => faults?.values.get(id);
  return {
    base,
    script: PAGE_SCRIPT,
    style,
    documentName: signing.documentName,
    asker: view.sender,
    signer: signing,
    sheets,
    fields: view.ownFields.map((field): SigningFieldProps => {
      const fault = faultOf(field);
      return {
        id: inputId(field),
        fieldId: field.id,
        kind: KINDS[field.type].input,
        label: labelOf(field),
        required: field.required,
        page: field.pageIndex < sheets.length ? field.pageIndex + 1 : undefined,
        mark: markId(field),
        autocomplete: KINDS[field.type].autocomplete,
        ...heldBy(field, signing, given),
        fault: fault && sentence(fault),
      };
    }),
    consent: { text: CONSENT, given: given?.consent ?? false, fault: faults?.consent },
    faults: faults && [
      ...view.ownFields.flatMap((field): Fault[] => {
        const fault = faultOf(field);
        return fault ? [{ at: inputId(field), text: sentence(`${labelOf(field)} ${fault}`) }] : [];
      }),
      ...(faults.consent ? [{ at: 'consent', text: faults.consent }] : []),
    ],
  };
}

function heldBy(field: SignatureField, signing: OpenedSigning, given: Given | undefined) {
  if (!given) return { value: KINDS[field.type].value?.(signing) ?? '' };
  const drawn = given.drawn.get(field.id);
  return drawn === undefined ? { value: given.values.get(field.id) ?? '' } : { value: '', drawn };
}
