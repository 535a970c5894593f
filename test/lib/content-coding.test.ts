import { describe, expect, it } from 'vitest';
import { acceptedCoding, codedTag, uncodedTag } from '../../src/lib/content-coding.ts';

describe('the content coding of a response', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0', undefined],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip; q=0.5', 'gzip'],
    ['gzip;q=x', undefined],
  ])('is for Accept-Encoding %s the preferred one: %s', (header, coding) => {
    expect(acceptedCoding(header, ['br', 'gzip'])).toBe(coding);
  });

  it('is, of equally accepted ones, the first that the server offers', () => {
    expect(acceptedCoding('gzip, deflate, br', ['gzip', 'br'])).toBe('gzip');
    expect(acceptedCoding('br', ['gzip', 'br'])).toBe('br');
  });

  it('is in the strong tag only, and can be taken from it', () => {
    expect([codedTag('"a.1.x"', 'gzip'), codedTag('W/"x"', 'br')]).toEqual(['"a.1.x-gzip"', 'W/"x"']);
    expect([uncodedTag('a.1.x-gzip'), uncodedTag('a.1.x-br'), uncodedTag('a.1.x')]).toEqual([
      'a.1.x',
      'a.1.x',
      'a.1.x',
    ]);
  });
});
