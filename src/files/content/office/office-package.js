// Plain JavaScript, as everything that text-task.js loads.
import { posix } from 'node:path';
import { MAX_PAGES, Unreadable } from '../../child/text-collect.js';
import { entryKey } from './zip-directory.js';

/** @typedef {import('./text-archive.js').Archive} Archive */
/** @typedef {{ id: string, path: string, type: string }} Relation `path` is the key of a part, `type` the last piece of its address */

const MAX_RELATIONS = 100_000;

/**
 * The parts to which a part of Office Open XML refers (ECMA-376 part 2 §6.5), or, for '', the package. Targets outside of the
 * package are left out. Transitional and strict files differ in the beginning of `type` only.
 * @param {Archive} archive
 * @param {string} part
 * @returns {Relation[]}
 */
export function relationsOf(archive, part) {
  const folder = posix.dirname(part);
  /** @type {Relation[]} */
  const relations = [];
  archive.walk(posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, { Id = '', Target = '', Type = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const path = entryKey(Target.replace(/#.*$/s, ''));
      if (relations.length >= MAX_RELATIONS) throw new Unreadable('Its parts are related too often.');
      relations.push({
        id: Id,
        path: /^[\\/]/.test(Target) ? posix.normalize(path) : posix.join(folder, path),
        type: posix.basename(Type),
      });
    },
  });
  return relations;
}

/** The parts of these types to which a part refers and which exist, each once, in order. */
export const relatedParts = (
  /** @type {Archive} */ archive,
  /** @type {string} */ part,
  /** @type {readonly string[]} */ types,
) => [
  ...new Set(
    relationsOf(archive, part)
      .filter(({ path, type }) => types.includes(type) && archive.has(path))
      .map(({ path }) => path),
  ),
];

/**
 * The main part of a package: that to which the package refers, else the first with a conventional name. Throws Unreadable
 * if there is none.
 */
export function mainPart(/** @type {Archive} */ archive, /** @type {RegExp} */ conventional) {
  const [main] = relatedParts(archive, '', ['officeDocument']);
  const part = main ?? namedParts(archive, conventional)[0];
  if (part === undefined) throw new Unreadable('Its main part is missing.');
  return part;
}

/** The parts with a conventional name, by their number. */
export const namedParts = (/** @type {Archive} */ archive, /** @type {RegExp} */ conventional) =>
  archive.names.filter((name) => conventional.test(name)).sort((a, b) => numberIn(a) - numberIn(b));

const numberIn = (/** @type {string} */ name) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);

/**
 * The parts (slides, sheets) that the elements of the main part list, in this order, each once. A reference that leads nowhere
 * takes the next part with a conventional name to which nothing refers.
 * @param {Archive} archive
 * @param {string} main
 * @param {string} element
 * @param {RegExp} conventional
 */
export function listedParts(archive, main, element, conventional) {
  const byId = new Map(relationsOf(archive, main).map(({ id, path }) => [id, path]));
  /** @type {{ path: string | undefined, name: string }[]} */
  const listed = [];
  const seen = new Set();
  archive.walk(main, {
    open(name, attributes) {
      if (name !== element || listed.length > MAX_PAGES) return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const target = byId.get(id);
      const path = target !== undefined && archive.has(target) ? target : undefined;
      if (path !== undefined && seen.has(path)) return;
      seen.add(path);
      listed.push({ path, name: attributes.name ?? '' });
    },
  });
  const unused = namedParts(archive, conventional).filter((part) => !seen.has(part));
  return listed.flatMap(({ path = unused.shift(), name }) => (path === undefined ? [] : [{ path, name }]));
}
