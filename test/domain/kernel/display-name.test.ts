import { describe, expect, it } from 'vitest';
import { applicationName, organizationName, personName } from '../../../src/domain/kernel/display-name.ts';
import { name } from '../../../src/domain/kernel/input.ts';
import { withoutHidden } from '../../../src/lib/text/hidden-text.js';

const fault = (schema: typeof name, text: string): string | undefined =>
  schema.safeParse(text).error?.issues[0]?.message;

const HIDDEN: [string, string][] = [
  ['a right-to-left override', 'Bank\u202Egnp.exe'],
  ['a left-to-right isolate', '\u2066Bank\u2069'],
  ['an unclosed embedding', 'Bank\u202B'],
  ['a right-to-left mark', 'a\u200Fb'],
  ['an Arabic letter mark', 'a\u061Cb'],
  ['a zero-width space', 'Pay\u200Bpal'],
  ['a word joiner', 'Pay\u2060pal'],
  ['a byte order mark', 'Pay\uFEFFpal'],
  ['a soft hyphen', 'Pay\u00ADpal'],
  ['a Hangul filler', '\u3164'],
  ['a Hangul choseong filler', 'a\u115Fb'],
  ['a Hangul jungseong filler', 'a\u1160b'],
  ['a half-width Hangul filler', 'a\uFFA0b'],
  ['a braille blank', 'a\u2800b'],
  ['a Khmer inherent vowel', 'a\u17B4b'],
  ['a combining grapheme joiner', 'a\u034Fb'],
  ['a Mongolian vowel separator', 'a\u180Eb'],
  ['a variation selector behind a letter', 'a\uFE0Fb'],
  ['a supplementary variation selector', 'a\u{E0100}b'],
  ['a digit with a variation selector alone', '1\uFE0F'],
  ['tag characters', 'ab\u{E0061}\u{E0062}\u{E007F}'],
  ['tag characters behind a flag, without an end', '\u{1F3F4}\u{E0067}\u{E0062}x'],
  ['a joiner between Latin letters', 'a\u200Db'],
  ['a non-joiner between Latin letters', 'Pay\u200Cpal'],
  ['a joiner at the end', 'क्\u200D'],
  ['an interlinear annotation', 'a\uFFF9b'],
  ['a line separator', 'a\u2028b'],
  ['a control character', 'a\u0007b'],
  ['half a character', 'a\uD800b'],
  ['two non-joiners', 'می\u200C\u200Cخواهم'],
  ['a non-joiner before a blank', 'نمونه\u200C متن'],
  ['a variation selector of ideographs behind another letter', 'é\u{E0101}'],
  ['a musical format character', 'a\u{1D173}b'],
];

const SEEN: [string, string][] = [
  ['Persian with a non-joiner', 'می\u200Cخواهم'],
  ['a Persian ending of a Latin word', 'PDF\u200Cها'],
  ['a Persian ending of a number', '۲۰\u200Cمتری'],
  ['the short form of the Hijri year', '۱۴۰۲ ه\u200D.ش'],
  ['a variant of an ideograph', '葛\u{E0100}城市'],
  ['a variant of a Mongolian letter', 'ᠠ\u180Bᠨ'],
  ['Hindi with a joiner', 'क्\u200Dष'],
  ['Sinhala with a joiner', 'ශ්\u200Dරී ලංකා'],
  ['a family', 'Us 👨\u200D👩\u200D👧\u200D👦'],
  ['a skin tone and a profession', '👩🏽\u200D💻 desk'],
  ['a heart with its presentation', '❤\uFE0F Care'],
  ['a flag in a tag sequence', 'Team \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['a rainbow flag', '🏳\uFE0F\u200D🌈'],
  ['a key cap', '1\uFE0F\u20E3 first'],
  ['a flag of letters', '🇩🇪 Berlin'],
  ['Hebrew', 'דוח שנתי'],
  ['Arabic and a number', 'تقرير 2026'],
  ['Japanese with a wide space', '株式会社\u3000東京'],
  ['Vietnamese', 'Nguyễn Thị Ánh'],
  ['Korean', '서울 사무소'],
  ['a trade mark and a dash', 'Planner™ – beta'],
];

describe('a display name', () => {
  it.each(HIDDEN)('is refused with %s, and the error names the character', (_, text) => {
    expect(fault(name, text)).toMatch(/invisible characters \(U\+[0-9A-F]{4,6}\)/);
  });

  it.each(SEEN)('may be %s', (_, text) => {
    expect(name.parse(text)).toBe(text.normalize('NFC'));
    expect(withoutHidden(text)).toBe(text);
  });

  it.each(HIDDEN)('is returned without %s if it was stored earlier', (_, text) => {
    const shown = withoutHidden(text);
    expect(shown.length).toBeLessThan(text.length);
    expect(shown === '' || fault(name, shown) === undefined).toBe(true);
  });

  it('has at most 8 combining marks on a letter, since more would cover other lines', () => {
    expect(fault(name, `x${'\u0301'.repeat(9)}`)).toMatch(/combining marks/);
    expect(fault(name, `x${'\u0323'.repeat(4)}`)).toBeUndefined();
  });
});

describe('the name of a person, an organization or an application', () => {
  it.each([
    'Docgraph',
    'docgraph',
    'D O C G R A P H',
    'D0cgraph',
    'Docgraph Security',
    'The Doc-Graph Team',
    'Dосgrарh',
    'Ｄｏｃｇｒａｐｈ',
    '𝐃𝐨𝐜𝐠𝐫𝐚𝐩𝐡',
    'Dócgräph',
    'D⓪cgraph',
    'Dοcgrαph support',
    'DocgraphSupport',
  ])('cannot be %s', (text) => {
    for (const schema of [personName, organizationName, applicationName])
      expect(fault(schema, text)).toMatch(/must not read like Docgraph/);
    expect(fault(name, text)).toBeUndefined();
  });

  it.each(['Раypal', 'Gооgle', 'Αmazon'])('cannot mix alphabets that look alike: %s', (text) => {
    expect(fault(organizationName, text)).toMatch(/must not mix/);
  });

  it.each([
    'Doc Graphics Ltd',
    'Яндекс Cloud',
    'iOS-разработка',
    'Ελλάς Telecom',
    'µTorrent',
    'Harbor',
    'Zoë Ångström',
    '東京 Works',
  ])('may be %s', (text) => {
    for (const schema of [personName, organizationName, applicationName])
      expect(schema.parse(text)).toBe(text.normalize('NFC'));
  });

  it('has at most 50 characters for an application', () => {
    expect(applicationName.parse('🏳'.repeat(50))).toHaveLength(100);
    expect(fault(applicationName, 'a'.repeat(51))).toBe('must not be longer than 50 characters');
  });
});
