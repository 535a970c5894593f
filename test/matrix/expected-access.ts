import type { ApplicationRule } from './application-facts.ts';
import type { Principal } from './fixture.ts';

/**
 * Who may do something: anyone with a credential; at least a guest (in no project), a member (editor of open projects) or
 * an admin; only the owner, of an object hidden from others (`theirs`) or visible to them (`approver`); only an admin, of an
 * object hidden from others (`manages`); only an owner in person, of an object hidden from others (`inPerson`); only an admin or the application that created it (`creator`); only in a browser session
 * (`session`).
 */
export type Requirement =
  | 'anyone'
  | 'guest'
  | 'member'
  | 'admin'
  | 'theirs'
  | 'approver'
  | 'manages'
  | 'inPerson'
  | 'creator'
  | 'session';

export interface AccessFact {
  least: Requirement;
  /** Needs the scope write. */
  writes: boolean;
  /** Without it allowed. */
  applications?: ApplicationRule;
  /** What contains the object; projects are hidden from guests. */
  container: 'project' | 'organization';
}

const UNAUTHENTICATED: readonly Principal[] = ['nobody', 'revoked', 'expired'];
const READ_ONLY: readonly Principal[] = ['reader', 'application'];
const APPLICATIONS: readonly Principal[] = ['application', 'writingApplication', 'membersApplication'];
const WITHOUT_MEMBERS: readonly Principal[] = ['writingApplication', 'limitedApplication'];
const MAY_WRITE: readonly Principal[] = [...WITHOUT_MEMBERS, 'membersApplication'];
const OWNING: readonly Principal[] = [
  'owner',
  'session',
  'writingApplication',
  'membersApplication',
  ...READ_ONLY,
];

/** An application that is limited to one project has the rights of a guest elsewhere, as does the guest. */
const LIKE_GUESTS: readonly Principal[] = ['guest', 'limitedApplication'];

/** Requirements of objects that are invisible to everyone else. */
const HIDDEN: readonly Requirement[] = ['theirs', 'manages', 'inPerson', 'creator'];

/** The error code for a principal, or OK. */
export function expectedCode(
  { least, writes, applications, container }: AccessFact,
  principal: Principal,
): string {
  if (UNAUTHENTICATED.includes(principal)) return 'UNAUTHENTICATED';
  if (writes && READ_ONLY.includes(principal)) return 'INSUFFICIENT_SCOPE';
  if (applications === 'members' && WITHOUT_MEMBERS.includes(principal)) return 'INSUFFICIENT_SCOPE';
  if (least === 'session') return principal === 'session' ? 'OK' : 'FORBIDDEN';
  if (applications === 'refused' && MAY_WRITE.includes(principal)) return 'FORBIDDEN';
  if (APPLICATIONS.includes(principal) && ['creator', 'inPerson'].includes(least)) return 'NOT_FOUND';
  if (OWNING.includes(principal) || least === 'anyone') return 'OK';
  if (principal === 'admin')
    return ['theirs', 'inPerson'].includes(least) ? 'NOT_FOUND' : least === 'approver' ? 'FORBIDDEN' : 'OK';
  if (principal === 'stranger' || HIDDEN.includes(least)) return 'NOT_FOUND';
  if (least === 'admin' && !writes) return 'FORBIDDEN';
  if (LIKE_GUESTS.includes(principal))
    return least === 'guest' ? 'OK' : container === 'project' || !writes ? 'NOT_FOUND' : 'FORBIDDEN';
  return least === 'guest' || least === 'member' ? 'OK' : writes ? 'FORBIDDEN' : 'NOT_FOUND';
}

const STATUS: Record<string, number> = {
  OK: 200,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
};

export const expectedStatus = (fact: AccessFact, principal: Principal): number =>
  STATUS[expectedCode(fact, principal)] as number;

/** All ids in a value, at any depth. */
export const idsIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\b[a-z]{3}_[0-7][0-9a-z]{25}\b/g) ?? [];

/** Prefixes of the objects that a guest without projects sees. */
const SHOWN_TO_GUESTS = ['org', 'usr'];

/** What contains the objects that a request names. */
export const containerOf = (request: unknown): AccessFact['container'] =>
  idsIn(request).some((id) => !SHOWN_TO_GUESTS.includes(id.slice(0, 3))) ? 'project' : 'organization';

/** The names that an access table lacks, and its entries without a counterpart; each with the file to correct. */
export function tableFaults(expected: Iterable<string>, table: object, file: string): string[] {
  const names = new Set(expected);
  return [
    ...[...names].filter((name) => !(name in table)).map((name) => `${name}: add who may use it to ${file}`),
    ...Object.keys(table)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: does not exist; remove it from ${file}`),
  ];
}
