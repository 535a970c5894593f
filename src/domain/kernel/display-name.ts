import { z } from 'zod';
import { hiddenCharacter } from '../../lib/hidden-text.js';
import { mixesAlphabets, readsLikeProduct } from '../../lib/lookalike.ts';
import { codePoints, hasLongMarks } from '../../lib/normalize.ts';

/** More marks on one letter than any language writes cover the lines above and below. */
const MARKS = /\p{M}{9}/u;
const TOO_MANY_MARKS = 'must not contain more than 8 combining marks in a row';

/** A display name of up to `most` code points after trimming, in NFC, without characters that are not seen. */
export const displayName = (most: number) =>
  z
    .string()
    .refine((text) => !hasLongMarks(text), { error: TOO_MANY_MARKS, abort: true })
    .transform((text) => text.trim().normalize('NFC'))
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => codePoints(text, most) <= most, `must not be longer than ${most} characters`)
    .superRefine((text, { addIssue }) => {
      const hidden = hiddenCharacter(text);
      if (hidden) addIssue(`must not contain control, formatting or invisible characters (${hidden})`);
    })
    .refine((text) => !MARKS.test(text), TOO_MANY_MARKS);

/** The name of one who acts towards others: it must not read like this product, nor like another one by mixed alphabets. */
const actorName = (most: number) =>
  displayName(most)
    .refine((text) => !readsLikeProduct(text), 'must not read like Docgraph itself')
    .refine(
      (text) => !mixesAlphabets(text),
      'must not mix Latin, Cyrillic, Greek or Armenian letters in a word',
    );

export const personName = actorName(255);
export const organizationName = actorName(255);

/** Short, since the consent screen shows it beside our own words. */
export const applicationName = actorName(50);
