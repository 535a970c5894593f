/** An unset time (contract, "JSON style"): no member is left out of a reply. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

export const time = (value: string | null | undefined): string => value ?? ZERO_TIME;

/** Whether a client left this time unset: empty or the zero time, with or without a fraction of a second and an offset. */
export const isZeroTime = (value: string | undefined): boolean =>
  value !== undefined && /^(?:0001-01-01T00:00:00(?:\.0+)?(?:Z|\+00:00)?)?$/i.test(value);

export const text = (value: string | null | undefined): string => value ?? '';

interface Author {
  id: string;
  name: string;
  email: string;
}

/** The members `<Verb>ByUserID`, `-Name` and `-Email`; empty without a user. */
export const by = <Verb extends string>(verb: Verb, user: Author | null | undefined) =>
  ({
    [`${verb}ByUserID`]: text(user?.id),
    [`${verb}ByUserName`]: text(user?.name),
    [`${verb}ByUserEmail`]: text(user?.email),
  }) as Record<`${Verb}ByUser${'ID' | 'Name' | 'Email'}`, string>;

/**
 * The key that stands for a term of the contract, compared without case; undefined where there is no such term.
 * `terms` maps each value of the graph to its term on the wire.
 */
export const keyOfTerm = <Key extends string>(terms: Record<Key, string>, term: string): Key | undefined =>
  (Object.keys(terms) as Key[]).find((key) => terms[key].toLowerCase() === term.toLowerCase());
