import { badValue, notFound } from './errors.ts';

/** The path in the input that an id was read from. */
export type PathOf = (id: string) => string;

/** The paths of the ids of a batch: `documentIds.2`. */
export const positionIn =
  (member: string, ids: readonly string[]): PathOf =>
  (id) =>
    `${member}.${ids.indexOf(id)}`;

/** Throws BAD_USER_INPUT with the path of the first id that is given a second time. */
export function requireDistinct(
  ids: readonly (string | null | undefined)[],
  pathAt: (index: number) => string,
  text: string,
): void {
  const index = ids.findIndex((id, position) => id && ids.indexOf(id) < position);
  if (index >= 0) throw badValue(pathAt(index), text);
}

/** The path of the first of `ids` that is not among `present`, undefined if each is. */
export function pathOfMissing(
  ids: readonly string[],
  present: readonly string[],
  pathOf: PathOf,
): string | undefined {
  const among = new Set(present);
  const missing = ids.find((id) => !among.has(id));
  return missing === undefined ? undefined : pathOf(missing);
}

/** The ids of rows. */
export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Throws NOT_FOUND with the path of the first of `ids` that no row has; the others are `further`. */
export function requireFound(
  what: string,
  ids: readonly string[],
  rows: readonly { id: string }[],
  pathOf: PathOf,
): void {
  const present = new Set(idsOf(rows));
  const [first, ...others] = ids.filter((id) => !present.has(id));
  if (first === undefined) return;
  const further = others.map((id) => notFound(what, pathOf(id)));
  throw notFound(what, pathOf(first), further);
}
