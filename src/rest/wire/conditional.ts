import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { Execute } from './route.ts';

/** The thing that an answer is of: its id, and the version in which it was read. */
interface Thing {
  id: string;
  version: number;
}

/** What an operation selects `version` of: its root field, or what hangs on that. */
function thingOf(data: unknown): Thing | undefined {
  const roots = membersOf(data);
  return [...roots, ...roots.flatMap(membersOf)].find(isThing);
}

const membersOf = (value: unknown): unknown[] =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.values(value) : [];

const isThing = (value: unknown): value is Thing => {
  const { id, version } = (value ?? {}) as Partial<Thing>;
  return typeof id === 'string' && typeof version === 'number';
};

const precondition = (text: string) => new DomainError('CONFLICT', text, { at: 'expectedVersion' });

/** An If-Match that does not hold (RFC 9110 §15.5.13): the only way for REST v1 to name a version. */
export const isFailedPrecondition = ({ code, at }: DomainError): boolean =>
  code === 'CONFLICT' && at === 'expectedVersion';

const TAGS = /(W\/)?"([^"]*)"/g;
const OURS = /^([a-z]+_[0-9a-z]{26})\.(\d{1,9})\.[\w-]+$/;

/**
 * The version that an If-Match asks for, of a thing that the request names; undefined for none. Versions only grow: of
 * several, the greatest alone can be the present one. Tags are compared strongly (RFC 9110 §8.8.3.2).
 */
function versionIn(header: string | undefined, named: readonly unknown[]): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions = [...header.matchAll(TAGS)].flatMap(([, weak, tag = '']) => {
    const [, id = '', version] = (!weak && OURS.exec(tag)) || [];
    return named.includes(id) ? Number(version) : [];
  });
  if (versions.length === 0) throw precondition('If-Match holds no tag of this; read it again.');
  return Math.max(...versions);
}

/** The conditions of one request (RFC 9110 §13), which hold for every row alike. */
export interface Conditions {
  execute: Execute;
  /** The tag of an answer; strong where the answer is of one thing with a version. */
  tag: (content: string) => string;
}

export interface Asked {
  ifMatch: string | undefined;
  /** The ids in the path. */
  path: readonly string[];
}

/** Runs operations under an If-Match: what it names is handed to the rules, which compare it where they write. */
export function conditionalExecution(execute: Execute, { ifMatch, path }: Asked): Conditions {
  let thing: Thing | undefined;
  return {
    async execute(operation, variables) {
      const { input } = variables;
      const named = [...path, ...membersOf(input)];
      const version = operation.scope === 'write' ? versionIn(ifMatch, named) : undefined;
      if (version !== undefined && !operation.takesVersion)
        throw precondition('This is not tied to one version; send it without If-Match.');
      const data = await execute(
        operation,
        version === undefined
          ? variables
          : { ...variables, input: { ...(input as object), expectedVersion: version } },
      );
      thing ??= thingOf(data);
      return data;
    },
    tag(content) {
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
      return thing ? `"${thing.id}.${thing.version}.${hash}"` : `W/"${hash}"`;
    },
  };
}

/** Whether the caller has this answer already (RFC 9110 §13.1.2, compared weakly). */
export const matchesIfNoneMatch = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' ||
  [...(ifNoneMatch ?? '').matchAll(TAGS)].some(([, , each]) => `"${each}"` === tag.replace(/^W\//, ''));
