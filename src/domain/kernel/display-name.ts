import { z } from 'zod';
import { hiddenCharacter } from '../../lib/text/hidden-text.js';
import { mixesAlphabets, readsLikeProduct } from '../../lib/text/lookalike.ts';
import { codePoints, hasLongMarks } from '../../lib/text/normalize.ts';

/** More marks on a letter than any language uses; they would cover the lines above and below. */
const MARKS = /\p{M}{9}/u;
const TOO_MANY_MARKS = 'must not contain more than 8 combining marks in a row';

/** A display name of up to `maxLength` code points, trimmed and in NFC, without invisible characters. */
export const displayName = (maxLength: number) =>
  z
    .string()
    .refine((text) => !hasLongMarks(text), { error: TOO_MANY_MARKS, abort: true })
    .transform((text) => text.trim().normalize('NFC'))
    .refine((text) => text !== '', 'must not be empty')
    .refine(
      (text) => codePoints(text, maxLength) <= maxLength,
      `must not be longer than ${maxLength} characters`,
    )
    .superRefine((text, { addIssue }) => {
      const hidden = hiddenCharacter(text);
      if (hidden) addIssue(`must not contain control, formatting or invisible characters (${hidden})`);
    })
    .refine((text) => !MARKS.test(text), TOO_MANY_MARKS);

/** The name of a person, organization or application: must not imitate this product, nor another name by mixed alphabets. */
const actorName = (maxLength: number) =>
  displayName(maxLength)
    .refine((text) => !readsLikeProduct(text), 'must not read like Docgraph itself')
    .refine(
      (text) => !mixesAlphabets(text),
      'must not mix Latin, Cyrillic, Greek or Armenian letters in a word',
    );

export const personName = actorName(255);
export const organizationName = actorName(255);

/** Short, since the consent screen shows it within our own text. */
export const applicationName = actorName(50);
