import type { z } from 'zod';

/** Names of variables whose values may be secrets. */
const SECRET = /KEY|SECRET|TOKEN|PASS/;

/** Says in plain words what is wrong with a variable's value, which is shown unless it may hold a secret. */
export function problemOf(name: string, issue: z.core.$ZodIssue, value: string | undefined): string {
  const problem = textOf(issue);
  const isSecret = SECRET.test(name) || value?.includes('@');
  // What depends on another variable is not wrong with this value alone, and begins otherwise.
  const isShown = value !== undefined && !isSecret && /^must (?:be|have) /.test(problem);
  return isShown ? `${problem}, not ${JSON.stringify(value)}` : problem;
}

function textOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`;
  if (issue.code === 'too_small' && issue.origin === 'string')
    return `must have at least ${issue.minimum} characters`;
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must have at most ${issue.maximum} characters`;
  return issue.message;
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

/** Compares the lengths first, as most names differ by more. */
const isNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= MAX_DISTANCE && distance(a, b) <= MAX_DISTANCE;

/** The variables of the environment that are nearly one of `names`, each with the one that was probably meant. */
export function misspelt(
  env: Record<string, string | undefined>,
  names: readonly string[],
): [string, string][] {
  const candidates = names.filter((name) => name.length >= MIN_LENGTH);
  return Object.keys(env)
    .filter((name) => name.length >= MIN_LENGTH - 1 && !names.includes(name))
    .flatMap((name): [string, string][] => {
      const near = candidates.find((candidate) => isNear(name.toUpperCase(), candidate));
      return near ? [[name, near]] : [];
    });
}
