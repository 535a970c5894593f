import { setImmediate as nextTurn } from 'node:timers/promises';
import { clustersOf, drawable } from './clusters.js';

/** Letters that every style has, and that are visible; most texts need no other. */
const ORDINARY = /^[\x20-\x7e\xa1-\xac\xae-\u017f\r\n\t]*$/;

/** Longer texts are refused anyway, in UTF-16 code units. */
const MAX_LENGTH = 20_000;

const MARK = /^\p{M}/u;

/** Different characters in all texts of a request: more than any writing system has in use. */
const MAX_CHARACTERS = 8_000;

/** Milliseconds of work after which other requests have their turn. */
const SLICE = 5;

/**
 * Why texts cannot be drawn as they are written, by text, for an error that names the field: a character that no font has,
 * or nothing that is visible. Blank texts are left out.
 * @param {Iterable<string>} texts
 */
export async function findTextFaults(texts) {
  /** @type {Map<string, string>} */
  const faults = new Map();
  /** By character, whether it is visible; undefined for one that no font has. @type {Map<string, boolean | undefined>} */
  const seen = new Map();
  for (const text of new Set(texts)) {
    const fault = isOrdinary(text) ? undefined : await faultOf(text, seen);
    if (fault) faults.set(text, fault);
  }
  return faults;
}

/** @param {string} text */
const isOrdinary = (text) => ORDINARY.test(text) || text.trim() === '' || text.length > MAX_LENGTH;

/** @param {string} text @param {Map<string, boolean | undefined>} seen */
async function faultOf(text, seen) {
  let isVisible = false;
  let begin = performance.now();
  for (const cluster of new Set(clustersOf(drawable(text)))) {
    if (cluster.trim() === '') continue;
    if (!seen.has(cluster)) seen.set(cluster, await visibilityOf(cluster));
    const visibility = seen.get(cluster);
    if (visibility === undefined)
      return `has a character that cannot be drawn: ${cluster} (${namesOf(cluster)})`;
    if (seen.size > MAX_CHARACTERS) return 'has too many different characters';
    isVisible ||= visibility;
    if (performance.now() - begin < SLICE) continue;
    await nextTurn();
    begin = performance.now();
  }
  return isVisible ? undefined : 'has no visible character';
}

/** Whether a character shows something; undefined if no font has it. @param {string} cluster */
async function visibilityOf(cluster) {
  // Imported late, with the program that reads fonts: most texts are ordinary.
  const { chooseCoverage } = await import('./choice.js');
  const coverage = await chooseCoverage(cluster);
  if (!coverage) return undefined;
  return !MARK.test(cluster) && [...cluster].some((each) => coverage.shows(each.codePointAt(0) ?? 0));
}

/** Such as U+1F468 U+200D. @param {string} cluster */
const namesOf = (cluster) =>
  [...cluster]
    .map((each) => `U+${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
