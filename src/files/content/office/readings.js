// Plain JavaScript, as everything that text-task.js loads.

/** @typedef {import('../markup/text-markup.js').Listener} Listener */

/**
 * A listener that hears nothing of the readings in a string of a workbook (ECMA-376 part 1 §18.4.6): they would part its words.
 * @param {Listener} listener
 * @returns {Listener}
 */
export function withoutReadings({ open, close, text }) {
  let readings = 0;
  return {
    open(name, attributes, qualified) {
      if (name === 'rPh') readings++;
      if (readings === 0) open?.(name, attributes, qualified);
    },
    close(name) {
      if (readings === 0) close?.(name);
      if (name === 'rPh') readings--;
    },
    text(part) {
      if (readings === 0) text?.(part);
    },
  };
}
