import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/kernel/errors.ts';
import { uncodedTag } from '../../lib/content-coding.ts';
import { inSlices } from '../../lib/slices.ts';
import type { Execute } from './operations.ts';

/** The object that a reply represents: its id, and the version in which it was read. */
interface Versioned {
  id: string;
  version: number;
}

/** The object of which an operation selects `version`: a root field, or a member of one. */
function versionedIn(data: unknown): Versioned | undefined {
  const roots = valuesOf(data);
  return [...roots, ...roots.flatMap(valuesOf)].find(isVersioned);
}

const valuesOf = (value: unknown): unknown[] =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.values(value) : [];

const isVersioned = (value: unknown): value is Versioned => {
  const { id, version } = (value ?? {}) as Partial<Versioned>;
  return typeof id === 'string' && typeof version === 'number';
};

const failedPrecondition = (text: string) => new DomainError('CONFLICT', text, { at: 'expectedVersion' });

/** Whether an If-Match did not hold (RFC 9110 §15.5.13): no other input of REST v1 sets `expectedVersion`. */
export const isFailedPrecondition = ({ code, at }: DomainError): boolean =>
  code === 'CONFLICT' && at === 'expectedVersion';

const ENTITY_TAGS = /(?:W\/)?"([^"]*)"/g;
/** A strong tag without its quotation marks, as `tag` writes it: id, version, hash of the content (and the content coding, see codedTag). */
const STRONG_TAG = /^([a-z]+_[0-9a-z]{26})\.(\d{1,9})\.[\w-]+$/;

/**
 * The version that an If-Match demands of one of the objects in `ids`; undefined without a demand. Versions only grow,
 * so of several tags the greatest version counts. Throws for no usable tag.
 *
 * RFC 9110 §13.1.1 wants a strong comparison, since a weak tag may stand for content that differs. A weak form of our own
 * strong tag does not: proxies that compress (nginx, Cloudflare) rewrite `"x"` as `W/"x"` because the coded bytes differ, and
 * the version that is compared here is that of the object, not of bytes. Refusing it would keep their clients from writing.
 */
function demandedVersion(ifMatch: string | undefined, ids: readonly unknown[]): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const versions = [...ifMatch.matchAll(ENTITY_TAGS)].flatMap(([, tag = '']) => {
    const [, id = '', version] = STRONG_TAG.exec(tag) ?? [];
    return ids.includes(id) ? Number(version) : [];
  });
  if (versions.length === 0) throw failedPrecondition('If-Match holds no tag of this; read it again.');
  return Math.max(...versions);
}

export interface ConditionalExecution {
  /** Passes the version that an If-Match demands to the first writing operation, as `input.expectedVersion`. */
  execute: Execute;
  /** The ETag of a reply with this content, in pieces: strong if the reply represents one object with a version. */
  tag: (content: Iterable<string>) => Promise<string>;
}

export interface ConditionalRequest {
  ifMatch: string | undefined;
  /** The ids in the path; a tag may name these, or an id in the input of the operation. */
  pathIds: readonly string[];
}

/** Conditional requests (RFC 9110 §13): the domain compares the version of an If-Match in its transaction. */
export function conditionalExecution(
  execute: Execute,
  { ifMatch, pathIds }: ConditionalRequest,
): ConditionalExecution {
  let object: Versioned | undefined;
  let isCompared = false;
  return {
    async execute(operation, variables) {
      const { input } = variables;
      const ids = [...pathIds, ...valuesOf(input)];
      const demands = operation.writes && !isCompared;
      const version = demands ? demandedVersion(ifMatch, ids) : undefined;
      isCompared ||= version !== undefined;
      if (version !== undefined && !operation.takesVersion)
        throw failedPrecondition('This is not tied to one version; send it without If-Match.');
      const data = await execute(
        operation,
        version === undefined
          ? variables
          : { ...variables, input: { ...(input as object), expectedVersion: version } },
      );
      object ??= versionedIn(data);
      return data;
    },
    async tag(content) {
      const sum = createHash('sha256');
      for await (const piece of inSlices(content)) sum.update(piece);
      const hash = sum.digest('base64url').slice(0, 16);
      return object ? `"${object.id}.${object.version}.${hash}"` : `W/"${hash}"`;
    },
  };
}

/**
 * The tag of If-None-Match that names the same content as `tag`, in any content coding (compared weakly, RFC 9110 §13.1.2);
 * undefined if the caller does not have this reply.
 */
export function matchingTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch?.trim() === '*') return tag;
  const [prefix, current = ''] = tag.split('"');
  for (const [, opaqueTag = ''] of (ifNoneMatch ?? '').matchAll(ENTITY_TAGS))
    if (opaqueTag === current || uncodedTag(opaqueTag) === current) return `${prefix}"${opaqueTag}"`;
  return undefined;
}
