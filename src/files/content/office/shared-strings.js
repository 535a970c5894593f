// Plain JavaScript, as everything that text-task.js loads.
import { MAX_TEXT, Unreadable } from '../../child/text-collect.js';
import { withoutReadings } from './readings.js';

const MAX_STRINGS = 2_000_000;

/**
 * The strings to which cells refer by index (ECMA-376 part 1 §18.4.9), without readings, and whether some are missing because
 * of the limit. None if there is no such part.
 */
export function sharedStrings(
  /** @type {import('./text-archive.js').Archive} */ archive,
  /** @type {string} */ part,
) {
  /** @type {string[]} */
  const strings = [];
  /** @type {string[]} */
  let parts = [];
  let room = MAX_TEXT;
  let inText = false;
  const listener = withoutReadings({
    open(name) {
      inText = name === 't';
    },
    close(name) {
      inText = false;
      if (name !== 'si') return;
      if (strings.length >= MAX_STRINGS) throw new Unreadable('It has more than 2,000,000 shared strings.');
      strings.push(parts.join(''));
      parts = [];
    },
    text(text) {
      if (inText && room > 0) parts.push(text);
      if (inText) room -= text.length;
    },
  });
  archive.walk(part, listener);
  return { strings, cut: room < 0 };
}
