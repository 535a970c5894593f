import type { Scope as StoredScope } from '../../generated/prisma/client.ts';

/** All scopes, in the order in which they are listed. */
export const SCOPES = [
  'read',
  'write',
  'organizations:read',
  'organizations:write',
  'members:write',
  'documents:read',
  'documents:write',
  'tasks:read',
  'tasks:write',
  'forms:read',
  'forms:write',
  'approvals:read',
  'approvals:write',
  'signatures:read',
  'signatures:write',
  'events:read',
  'webhooks:write',
] as const;

/** What a credential may be used for. The names of OAuth and REST v1, as stored. */
export type Scope = (typeof SCOPES)[number];

/** What an application may learn of who its user is (OpenID Connect Core §5.4). They are no rights in either API. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;

export type IdentityScope = (typeof IDENTITY_SCOPES)[number];

/** All that an application may request. */
export const APPLICATION_SCOPES = [...SCOPES, ...IDENTITY_SCOPES] as const;

export type ApplicationScope = (typeof APPLICATION_SCOPES)[number];

/** A set of scopes as bits. */
export type ScopeBits = number;

/** Bits between the scope that reads an area and the one that writes it. */
const WRITES = 8;

/** The areas in the order of their bits. The first is everything, with what no other scope covers, as API keys. */
const AREAS: readonly (readonly [read: Scope, write: Scope])[] = [
  ['read', 'write'],
  ['organizations:read', 'organizations:write'],
  ['documents:read', 'documents:write'],
  ['tasks:read', 'tasks:write'],
  ['forms:read', 'forms:write'],
  ['approvals:read', 'approvals:write'],
  ['signatures:read', 'signatures:write'],
  ['events:read', 'webhooks:write'],
];

/** The bits of all scopes that read. */
export const READ_BITS: ScopeBits = 2 ** WRITES - 1;

const BITS = new Map<ApplicationScope, ScopeBits>([
  ...AREAS.flatMap(([read, write], area): [Scope, ScopeBits][] => [
    [read, 1 << area],
    [write, 1 << (area + WRITES)],
  ]),
  ...IDENTITY_SCOPES.map((scope, index): [IdentityScope, ScopeBits] => [scope, 1 << (2 * WRITES + index)]),
  ['members:write', 1 << (2 * WRITES + IDENTITY_SCOPES.length)],
]);
/**
 * What each scope allows: `read` includes every scope that reads, `write` every one that writes an area, others themselves. `members:write`
 * is in no other one: an application has to ask for it by name.
 */
const ALLOWED = new Map(BITS).set('read', READ_BITS).set('write', READ_BITS << WRITES);

const orOf = (
  scopes: Iterable<ApplicationScope>,
  bits: ReadonlyMap<ApplicationScope, ScopeBits>,
): ScopeBits => {
  let all = 0;
  for (const scope of scopes) all |= bits.get(scope) ?? 0;
  return all;
};

/** What these scopes allow together. */
export const allowedBy = (scopes: Iterable<ApplicationScope>): ScopeBits => orOf(scopes, ALLOWED);

/** What is required where all of these scopes are: `read` stands for itself, which no narrower scope includes. */
export const bitsOf = (...scopes: readonly Scope[]): ScopeBits => orOf(scopes, BITS);

const MEMBERS = bitsOf('members:write');
const ORGANIZATIONS = bitsOf('organizations:read');

/** The scopes that write, as those that read the same. Members are read with their organization. */
export const readsOfWrites = (bits: ScopeBits): ScopeBits =>
  ((bits >> WRITES) & READ_BITS) | (bits & MEMBERS ? ORGANIZATIONS : 0);

/** The names of required bits, without those that another of them includes. */
export function scopesOf(required: ScopeBits): Scope[] {
  const names = SCOPES.filter((scope) => required & (BITS.get(scope) ?? 0));
  return names.filter((scope) => !names.some((other) => other !== scope && includes([other], scope)));
}

/** Whether these scopes allow all that one scope allows. */
export const includes = (scopes: Iterable<ApplicationScope>, scope: ApplicationScope): boolean =>
  ((ALLOWED.get(scope) ?? 0) & ~allowedBy(scopes)) === 0;

/** Whether the scopes include one that reads, and so the names of people, organizations and projects. */
export const readsAnything = (scopes: Iterable<Scope>): boolean => (allowedBy(scopes) & READ_BITS) !== 0;

/**
 * Whether objects that this scope reads are shown. A credential that reads nothing runs mutations alone, and sees in what they return the
 * objects of the scopes with which it writes.
 */
export function mayRead(scopes: Iterable<Scope>, scope: Scope): boolean {
  const allowed = allowedBy(scopes);
  const readable = allowed & READ_BITS || readsOfWrites(allowed);
  return ((ALLOWED.get(scope) ?? 0) & ~readable) === 0;
}

/** What is left of `scopes` within each of the limits: those that these include, and parts of `read` and `write`. */
export function narrowScopes<Given extends ApplicationScope>(
  scopes: Iterable<Given>,
  ...limits: readonly Iterable<ApplicationScope>[]
): (Given | Scope)[] {
  const limit = limits.reduce((bits, each) => bits & allowedBy(each), -1);
  const left = new Set<ApplicationScope>(
    [...scopes].flatMap((scope): ApplicationScope[] => {
      const allowed = ALLOWED.get(scope) ?? 0;
      return allowed & ~limit ? scopesOf(allowed & limit) : [scope];
    }),
  );
  return APPLICATION_SCOPES.filter((scope) => left.has(scope)) as (Given | Scope)[];
}

export const isIdentityScope = (scope: ApplicationScope): scope is IdentityScope =>
  (IDENTITY_SCOPES as readonly string[]).includes(scope);

/** Those that are rights in the APIs. */
export const apiScopesOf = (scopes: readonly ApplicationScope[]): Scope[] =>
  scopes.filter((scope): scope is Scope => !isIdentityScope(scope));

/** Those that concern who the user is, in the order in which they are listed. */
export const identityScopesOf = (scopes: readonly ApplicationScope[]): IdentityScope[] =>
  IDENTITY_SCOPES.filter((scope) => scopes.includes(scope));

/** Scopes that allow the same, each listed once and without those that another one includes. */
export const withoutIncluded = (scopes: readonly ApplicationScope[]): ApplicationScope[] => [
  ...scopesOf(bitsOf(...apiScopesOf(scopes))),
  ...identityScopesOf(scopes),
];

/** The scopes as the database client names them. */
export const storedScopes = (scopes: readonly ApplicationScope[]): StoredScope[] =>
  scopes.map((scope) => scope.replace(':', '_') as StoredScope);
