import { z } from 'zod';
import { foldEmail, parseEmailAddress } from '../../lib/text/email-address.ts';
import { hiddenCharacter } from '../../lib/text/hidden-text.js';
import { codePoints, hasLongMarks, normalize } from '../../lib/text/normalize.ts';
import { isServiceAddress } from '../../lib/text/service-address.ts';
import { displayName } from './display-name.ts';
import { badValue } from './errors.ts';

export const name = displayName(255);

/** Free text of up to `maxLength` code points. */
export const text = (maxLength: number) =>
  z
    .string()
    .refine((value) => codePoints(value, maxLength) <= maxLength, {
      error: `must not be longer than ${maxLength} characters`,
      abort: true,
    })
    .refine((value) => !hasLongMarks(value), 'must not have more than 30 combining marks in a row');

/** Text that is shown like a name, and may be empty: no invisible characters but tabs and line breaks. */
export const label = (maxLength: number) =>
  text(maxLength).refine(
    (value) => !hiddenCharacter(value.replace(/[\t\r\n]/g, '')),
    'must not contain control, formatting or invisible characters',
  );

const address = (isAccepted: (folded: string) => boolean) =>
  z
    .string()
    .max(1_000, { error: 'must be an e-mail address', abort: true })
    .transform((text, { addIssue }) => {
      const parsed = parseEmailAddress(text);
      const folded = typeof parsed === 'string' ? '' : foldEmail(`${parsed.local}@${parsed.domain}`);
      if (folded && isAccepted(folded)) return folded;
      addIssue(typeof parsed === 'string' ? parsed : 'must be an address that mail can be sent to');
      return z.NEVER;
    });

/** An e-mail address, as it is stored and compared: in lower case, its domain in ASCII. None of a service account. */
export const email = address((folded) => !isServiceAddress(folded));

/** Likewise, of somebody who is a member: it may be that of a service account. */
export const memberEmail = address(() => true);

export const hexColor = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a colour such as #3366cc');

/** The key by which names are sorted and looked up: case and width folded, so that every database orders them alike. */
export const normalizedKey = (display: string): string => normalize(display, 'NFKC').toLowerCase();

/** Members of a value that one error says are not allowed: each is an error of its own. */
const MAX_ISSUES = 1_000;

/** Parses a value by a zod schema. Throws BAD_USER_INPUT that names the member and the reason; other members are `further`. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, at = ''): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [first, ...others] = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    member: [at, ...path.map(String)].filter((part) => part !== '').join('.'),
    message,
  }));
  const further = others.map(({ member, message }) => badValue(member, message));
  throw badValue(first?.member ?? at, first?.message ?? '', { further });
}

/** Throws BAD_USER_INPUT unless there are 1 to `max` items. */
export function requireBatchSize(items: readonly unknown[], max: number, at: string): void {
  if (items.length === 0) throw badValue(at, 'must not be empty');
  requireBatchLimit(items, max, at);
}

/** Throws BAD_USER_INPUT for more than `max` items. */
export function requireBatchLimit(items: readonly unknown[], max: number, at: string): void {
  if (items.length > max) throw badValue(at, `at most ${max} at once`);
}

/** The id of a parent folder; null, the root, where it is null, empty or left out. */
export const parentFolder = z
  .string()
  .nullish()
  .transform((id) => id || null);
