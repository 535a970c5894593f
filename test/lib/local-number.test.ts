import { describe, expect, it } from 'vitest';
import { formatLocalDate, readLocalDate } from '../../src/lib/text/local-date.ts';
import { formatLocalNumber, readLocalNumber } from '../../src/lib/text/local-number.js';

describe('a number', () => {
  it.each([
    ['de-DE', '1,5', '1.5'],
    ['de-DE', '1.234', '1234'],
    ['de-DE', '1.234.567,89', '1234567.89'],
    ['de-DE', '12,50 €', '12.50'],
    ['de-DE', '1234.5', '1234.5'],
    ['de-DE', ',5', '0.5'],
    ['de-CH', '1’234.5', '1234.5'],
    ['de-CH', "1'234.5", '1234.5'],
    ['fr-FR', '1\u202f234,5', '1234.5'],
    ['fr-FR', '1 234,5', '1234.5'],
    ['fr-FR', '1\u00a0234', '1234'],
    ['en-US', '1.234', '1.234'],
    ['en-US', '1,234.50', '1234.50'],
    ['en-US', '\u2212$1,000', '-1000'],
    ['sv-SE', '\u22127,5', '-7.5'],
    ['ar-EG', '١٬٢٣٤٫٥', '1234.5'],
    ['ar-EG', '\u061c-١٢', '-12'],
    ['ar-EG', '1,234.5', '1234.5'],
    ['hi-IN', '12,34,567.8', '1234567.8'],
    ['hi-IN', '१२,३४,५६७.८', '1234567.8'],
    ['en-US', '１２３', '123'],
    ['pt-PT', '1 234,5', '1234.5'],
    ['de', '007', '007'],
  ])('in %s, %s is %s', (locale, text, number) => {
    expect(readLocalNumber(text, locale)).toBe(number);
  });

  it.each([
    ['en-US', '1,5'],
    ['en-US', '1,23,4'],
    ['en-US', '1,2345'],
    ['de-DE', '1.23,4,5'],
    ['de-DE', '1,2.345'],
    ['de-DE', '12,'],
    ['de-DE', '1 234'],
    ['fr-FR', '1 23'],
    ['de-DE', '0x10'],
    ['de-DE', '1e3'],
    ['de-DE', ''],
    ['de-DE', '-'],
    ['de-DE', 'viel'],
  ])('is not what stands for none in %s: %j', (locale, text) => {
    expect(readLocalNumber(text, locale)).toBeUndefined();
  });

  it.each([
    ['de-DE', '1234.50', '1234,50'],
    ['ar-EG', '-1234.5', '-١٢٣٤٫٥'],
    ['hi-IN', '1234567', '1234567'],
    ['en-US', '+7', '7'],
    ['de-DE', '123456789012345678901234567890.123', '123456789012345678901234567890,123'],
  ])('is written in %s without groups: %s as %s', (locale, number, text) => {
    expect(formatLocalNumber(number, locale)).toBe(text);
    expect(readLocalNumber(text, locale)).toBe(number.replace('+', ''));
  });
});

describe('a date', () => {
  it.each([
    ['de-DE', '4.3.2031', '2031-03-04'],
    ['de-DE', '2031-03-04', '2031-03-04'],
    ['en-US', '3/4/2031', '2031-03-04'],
    ['en-GB', '04/03/2031', '2031-03-04'],
    ['ar-EG', '٤\u200f/٣\u200f/٢٠٣١', '2031-03-04'],
    ['ja-JP', '2031年3月4日', '2031-03-04'],
    ['fa-IR', '۲۰۳۱/۳/۴', '2031-03-04'],
    ['hu-HU', '2031. 03. 04.', '2031-03-04'],
  ])('in %s, %s is %s', (locale, text, day) => {
    expect(readLocalDate(text, locale)).toBe(day);
  });

  it.each([
    ['de-DE', '4.3.31'],
    ['de-DE', '2031'],
    ['de-DE', 'morgen'],
    ['en-US', '2031/3/4'],
  ])('is not what stands for none in %s: %s', (locale, text) => {
    expect(readLocalDate(text, locale)).toBeUndefined();
  });

  it('is shown with the name of its month, and a time as it is', () => {
    expect(formatLocalDate('2031-03-04', 'de-DE')).toBe('4. März 2031');
    expect(formatLocalDate('2031-03-04T05:06Z', 'de-DE')).toBe('2031-03-04T05:06Z');
  });
});
