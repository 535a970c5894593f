import type { Principal } from './scene.ts';

/**
 * The least that may do it: anyone with a credential, a guest of the organization (who is in no project of it), a member
 * (who takes part in open projects as an editor), an admin. Or the owner alone: because it is `theirs` and seen by
 * nobody else, or because only they are `asked`, while others see it. Or who `manages` it: an admin; it is hidden from
 * everyone else. Or who `made` it: an admin, or the application that did; it is hidden also from other applications.
 */
export type Least = 'anyone' | 'guest' | 'member' | 'admin' | 'theirs' | 'asked' | 'manages' | 'made';

export interface Fact {
  least: Least;
  /** A key or token that only reads is not enough. */
  writes: boolean;
  /** Applications may not do it, whatever their scopes and the rights of their user. */
  refusesApplications?: boolean;
  /** What holds the thing: a project is hidden from guests. */
  place: 'project' | 'organization';
}

const LIVE_NOT: readonly Principal[] = ['nobody', 'revoked', 'expired'];
const READING: readonly Principal[] = ['reader', 'application'];
const APPLICATIONS: readonly Principal[] = ['application', 'writingApplication'];
const OWNING: readonly Principal[] = ['owner', 'writingApplication', ...READING];

/** Whoever may not change these does not see them either. */
const HIDDEN: readonly Least[] = ['theirs', 'manages', 'made'];

/** The code that a principal is answered with, or OK: worked out, so that no cell is written by hand. */
export function expectedCode(
  { least, writes, refusesApplications, place }: Fact,
  principal: Principal,
): string {
  if (LIVE_NOT.includes(principal)) return 'UNAUTHENTICATED';
  if (writes && READING.includes(principal)) return 'INSUFFICIENT_SCOPE';
  if (refusesApplications && principal === 'writingApplication') return 'FORBIDDEN';
  if (APPLICATIONS.includes(principal) && least === 'made') return 'NOT_FOUND';
  if (OWNING.includes(principal) || least === 'anyone') return 'OK';
  if (principal === 'admin') return least === 'theirs' ? 'NOT_FOUND' : least === 'asked' ? 'FORBIDDEN' : 'OK';
  if (principal === 'stranger' || HIDDEN.includes(least)) return 'NOT_FOUND';
  if (principal === 'guest')
    return least === 'guest' ? 'OK' : place === 'project' || !writes ? 'NOT_FOUND' : 'FORBIDDEN';
  return least === 'guest' || least === 'member' ? 'OK' : writes ? 'FORBIDDEN' : 'NOT_FOUND';
}

const STATUS: Record<string, number> = {
  OK: 200,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
};

export const expectedStatus = (fact: Fact, principal: Principal): number =>
  STATUS[expectedCode(fact, principal)] as number;

/** The ids that stand in a value, wherever they do. */
export const idsIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[a-z]{3}_[0-7][0-9a-z]{25}\b/g) ?? [];

/** What a guest who is in no project sees; all else is hidden from them like a project. */
const SHOWN_TO_GUESTS = ['org', 'usr'];

/** What holds the things that a request names. */
export const placeOf = (request: unknown): Fact['place'] =>
  idsIn(request).some((id) => !SHOWN_TO_GUESTS.includes(id.slice(0, 3))) ? 'project' : 'organization';

/** What a table of facts does not say, or says of what is not there; named with where to put it right. */
export function missing(known: Iterable<string>, said: object, file: string): string[] {
  const names = new Set(known);
  return [
    ...[...names].filter((name) => !(name in said)).map((name) => `${name}: say who may, in ${file}`),
    ...Object.keys(said)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: is no more; take it out of ${file}`),
  ];
}
