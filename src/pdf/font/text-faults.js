import { chooseTypeface } from './choice.js';
import { clustersOf, drawable } from './clusters.js';

/** Letters that every style has, and that are visible; most texts need no other. */
const ORDINARY = /^[\x20-\x7e\xa1-\xac\xae-\u017f\r\n\t]*$/;

/** Longer texts are refused anyway, in UTF-16 code units. */
const MAX_LENGTH = 20_000;

const MARK = /^\p{M}/u;

/**
 * Why texts cannot be drawn as they are written, by text, for an error that names the field: a character that no font has,
 * or nothing that is visible. Blank texts are left out.
 * @param {Iterable<string>} texts
 */
export async function findTextFaults(texts) {
  /** @type {Map<string, string>} */
  const faults = new Map();
  for (const text of new Set(texts)) {
    const fault = await faultOf(text);
    if (fault) faults.set(text, fault);
  }
  return faults;
}

/** @param {string} text */
async function faultOf(text) {
  if (ORDINARY.test(text) || text.trim() === '' || text.length > MAX_LENGTH) return undefined;
  let isVisible = false;
  for (const cluster of new Set(clustersOf(drawable(text)))) {
    if (cluster.trim() === '') continue;
    const typeface = await chooseTypeface(cluster, 'plain');
    if (!typeface) return `has a character that cannot be drawn: ${cluster} (${namesOf(cluster)})`;
    isVisible ||= !MARK.test(cluster) && typeface.shape(cluster, false).some(({ id }) => typeface.hasInk(id));
  }
  return isVisible ? undefined : 'has no visible character';
}

/** Such as U+1F468 U+200D. @param {string} cluster */
const namesOf = (cluster) =>
  [...cluster]
    .map((each) => `U+${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
