import type { z } from 'zod';

/** In plain words what is wrong with a variable's value. Values are shown only where they cannot be secrets. */
export function problemOf(issue: z.core.$ZodIssue, value: string | undefined): string {
  const shown = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be a ${issue.expected === 'int' ? 'whole number' : 'number'}${shown}`;
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}${shown}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}${shown}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${shown}`;
    default:
      return issue.message;
  }
}

/** Changes of one character, or swaps of two neighbours, between two texts (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) (rows[0] as number[])[j] = j;
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped,
      );
    }
  return at(a.length, b.length);
}

/** Shorter names are near too many others, such as `HOSTS` of another program. */
const MIN_LENGTH = 7;
const MAX_DISTANCE = 2;

/** The variables of the environment that are nearly one of `names`, each with the one that was probably meant. */
export function misspelt(
  env: Record<string, string | undefined>,
  names: readonly string[],
): [string, string][] {
  const candidates = names.filter((name) => name.length >= MIN_LENGTH);
  return Object.keys(env)
    .filter((name) => name.length >= MIN_LENGTH - 1 && !names.includes(name))
    .flatMap((name): [string, string][] => {
      const near = candidates.find((candidate) => distance(name.toUpperCase(), candidate) <= MAX_DISTANCE);
      return near ? [[name, near]] : [];
    });
}
