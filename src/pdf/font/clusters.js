import { withoutHidden } from '../../lib/text/hidden-text.js';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The characters of a text as people see them (grapheme clusters, UAX #29). @param {string} text */
export const clustersOf = (text) => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** The text as it is drawn: without hidden characters, and with line breaks of one kind. @param {string} text */
export const drawable = (text) =>
  withoutHidden(text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '    '), '\n');
