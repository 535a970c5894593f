import { domainToUnicode } from 'node:url';

/** Letters that are no letter of ASCII with marks, and look like none. */
const LATIN = /^[a-z0-9ßæœøłđðþħŋ-]+$/;

/** Scripts whose letters cannot be mistaken for Latin ones. */
const DISTINCT = [
  ...['Arabic', 'Hebrew', 'Georgian', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Sinhala', 'Ethiopic'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
].map(only);
const CHINESE_OR_JAPANESE = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}0-9-]+$/u;

/** Alphabets with letters that look like Latin ones. */
const ALIKE = ['Cyrillic', 'Greek', 'Armenian'].map(only);

function only(script: string): RegExp {
  return new RegExp(`^[\\p{scx=${script}}0-9-]+$`, 'u');
}

const isLatin = (label: string): boolean => LATIN.test(label.normalize('NFD').replace(/\p{M}/gu, ''));

const isDistinct = (label: string): boolean =>
  isLatin(label) || CHINESE_OR_JAPANESE.test(label) || DISTINCT.some((script) => script.test(label));

/** As browsers do, a whole word of an alphabet that looks like Latin only below a top-level domain in that alphabet. */
function isSafe(labels: readonly string[]): boolean {
  const top = labels.at(-1) ?? '';
  const alike = ALIKE.find((script) => script.test(top) && /\p{L}/u.test(top));
  return labels.every((label) => isDistinct(label) || alike?.test(label) === true);
}

/** A stored address as people read it: its domain in Unicode, unless that can be mistaken for another domain (UTS #39). */
export function shownEmail(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (!domain.includes('xn--')) return address;
  const unicode = domainToUnicode(domain);
  return unicode && isSafe(unicode.split('.')) ? address.slice(0, at) + unicode : address;
}
