const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A text of at most `max` code points: of a longer one its beginning, cut between characters as people see them (grapheme
 * clusters, UAX #29), and `ending`. Always well-formed.
 * @param {string} text
 * @param {number} max
 * @param {string} [ending]
 */
export function shorten(text, max, ending = '') {
  if (text.length <= max) return text.toWellFormed();
  const points = [...text.slice(0, 2 * max + 2)];
  if (points.length <= max) return text.toWellFormed();
  const room = max - [...ending].length;
  return (wholeCharacters(points.slice(0, max + 1).join(''), room) + ending).toWellFormed();
}

/**
 * The beginning that has at most `room` code points; within a character where the first alone has more.
 * @param {string} text
 * @param {number} room
 */
function wholeCharacters(text, room) {
  let end = 0;
  let used = 0;
  for (const { segment } of characters.segment(text)) {
    used += [...segment].length;
    if (used > room) break;
    end += segment.length;
  }
  return end > 0 ? text.slice(0, end) : [...text].slice(0, room).join('');
}
