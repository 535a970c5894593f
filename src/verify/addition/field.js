// Plain JavaScript, for servers and browsers.

import { fail, skipValue, textOf } from '../../pdf/seal/object-syntax.js';
import {
  canonicalAt,
  dictionaryOf,
  itemsAt,
  requireEmptyRectangle,
  requireName,
  requireReferenceAt,
} from './value.js';

/** @typedef {import('./objects.js').UpdatedObjects} UpdatedObjects */

/** Offsets of the `<` and after the `>` of a token. @typedef {{ start: number, end: number }} Gap */

const FIELD_KEYS = [
  ...['Type', 'Subtype', 'FT', 'T', 'TU', 'TM', 'Ff'],
  ...['F', 'P', 'Rect', 'V', 'AP', 'DR'],
];
const SIGNATURE_KEYS = [
  ...['Type', 'Filter', 'SubFilter', 'ByteRange', 'Contents', 'V', 'M'],
  ...['Name', 'Reason', 'Location', 'ContactInfo', 'Prop_Build'],
];

/**
 * Judges a new field, which is its own widget (ISO 32000-2 §12.5.6.19): a document time-stamp that shows nothing. Resolves to its
 * name, the number of the page it refers to, and where the token is. Rejects with RangeError.
 * @param {UpdatedObjects} objects @param {number} number
 * @returns {Promise<{ name: string, page: number | undefined, gap: Gap }>}
 */
export async function judgeField(objects, number) {
  const { file } = objects;
  const at = objects.acceptNew(number);
  const field = dictionaryOf(file, at, FIELD_KEYS);
  requireName(file, field, 'FT', 'Sig');
  requireName(file, field, 'Subtype', 'Widget');
  requireEmptyRectangle(file, field.get('Rect'));
  const appearance = field.get('AP');
  if (appearance !== undefined) await judgeAppearance(objects, appearance);
  const resources = field.get('DR');
  if (resources !== undefined) dictionaryOf(file, objects.acceptNewAt(resources), []);
  const [name, page, value] = ['T', 'P', 'V'].map((key) => field.get(key));
  if (name === undefined || value === undefined) return fail(at, 'a field without a name or a value');
  return {
    name: canonicalAt(file, name),
    page: page === undefined ? undefined : requireReferenceAt(file, page),
    gap: judgeSignature(objects, value),
  };
}

/** The signature in a field covers all but its token, up to the end of the update. @param {UpdatedObjects} objects @param {number} value */
function judgeSignature(objects, value) {
  const { file, update } = objects;
  const at = objects.acceptNewAt(value);
  const signature = dictionaryOf(file, at, SIGNATURE_KEYS);
  requireName(file, signature, 'Type', 'DocTimeStamp');
  requireName(file, signature, 'SubFilter', 'ETSI.RFC3161');
  const [start, range] = [signature.get('Contents'), signature.get('ByteRange')];
  if (start === undefined || range === undefined)
    return fail(at, 'a signature without Contents or ByteRange');
  const end = skipValue(file, start);
  if (!/^<(?:[0-9a-fA-F]{2})*>$/.test(textOf(file, start, end)))
    fail(start, 'the signature is not in hexadecimal');
  const covered = itemsAt(file, range).map((item) => canonicalAt(file, item));
  if (covered.join() !== [0, start, end, update.end - end].join())
    fail(range, 'the signature does not cover the file up to the end of its update');
  return { start, end };
}

/** What paints nothing: spaces, comments, and states that are saved and restored. */
const EMPTY = /^(?:[\0\s]|q|Q|%[^\r\n]*(?:[\r\n]|$))*$/;

/** An appearance without an area and without content, as some programs write it. @param {UpdatedObjects} objects @param {number} at */
async function judgeAppearance(objects, at) {
  const { file } = objects;
  const normal =
    dictionaryOf(file, objects.acceptNewAt(at), ['N']).get('N') ?? fail(at, 'an appearance without N');
  const keys = ['Type', 'Subtype', 'FormType', 'BBox', 'Matrix', 'Resources'];
  const { values, content } = await objects.acceptStream(requireReferenceAt(file, normal), keys);
  requireName(file, values, 'Subtype', 'Form');
  requireEmptyRectangle(file, values.get('BBox'));
  const resources = values.get('Resources');
  if (resources !== undefined) dictionaryOf(file, objects.acceptNewAt(resources), ['ProcSet']);
  if (content.length > 1_000 || !EMPTY.test(textOf(content, 0, content.length)))
    fail(normal, 'an appearance that can be seen');
}
