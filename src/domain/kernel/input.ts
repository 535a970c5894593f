import { z } from 'zod';
import { hiddenCharacter } from '../../lib/hidden-text.js';
import { codePoints, hasLongMarks, normalize } from '../../lib/normalize.ts';
import { displayName } from './display-name.ts';
import { badInput } from './errors.ts';

export const name = displayName(255);

/** Free text of up to `most` code points. */
export const text = (most: number) =>
  z
    .string()
    .refine((value) => codePoints(value, most) <= most, {
      error: `must not be longer than ${most} characters`,
      abort: true,
    })
    .refine((value) => !hasLongMarks(value), 'must not have more than 30 combining marks in a row');

/** The same where it is shown as a name is, and may be empty: nothing in it may be hidden, but tabs and line breaks. */
export const label = (most: number) =>
  text(most).refine(
    (value) => !hiddenCharacter(value.replace(/[\t\r\n]/g, '')),
    'must not contain control, formatting or invisible characters',
  );

/** An e-mail address, in lower case: that is how they are stored and compared. */
export const email = z
  .string()
  .max(1_000, { error: 'must be an e-mail address', abort: true })
  .transform((address) => address.trim().toLowerCase())
  .pipe(z.email('must be an e-mail address').max(254));

export const hexColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a colour such as #3366cc');

/** Names sort, and are looked up, by this: case and width folded, so that both databases order them alike. */
export const normalizedKey = (display: string): string => normalize(display, 'NFKC').toLowerCase();

/** What the schema makes of a value. Throws BAD_USER_INPUT that names the member and the reason. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, at = ''): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const issue = error.issues[0] as z.core.$ZodIssue;
  const member = [at, ...issue.path.map(String)].filter((part) => part !== '').join('.');
  throw badInput(member ? `${member}: ${issue.message}` : issue.message, member);
}

/** Throws BAD_USER_INPUT unless there are 1 to `most`. */
export function requireBatchSize(items: readonly unknown[], most: number, at: string): void {
  if (items.length === 0) throw badInput(`${at}: must not be empty`, at);
  if (items.length > most) throw badInput(`${at}: at most ${most} at once`, at);
}

/** The folder to be in; the root where it is null, empty or left out. */
export const parentFolder = z
  .string()
  .nullish()
  .transform((id) => id || null);
