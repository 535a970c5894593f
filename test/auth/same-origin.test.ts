import { describe, expect, it } from 'vitest';
import { formToken, requireOwnForm, senderOf } from '../../src/auth/same-origin.ts';

const own = ['https://docs.example.com', 'http://localhost:4000'];

describe('the page that sent a request', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 'own'],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 'own'],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://docs.example.com' }, 'foreign'],
    [{ 'sec-fetch-site': 'cross-site' }, 'foreign'],
    [{ 'sec-fetch-site': 'none' }, 'foreign'],
    [{ 'sec-fetch-site': '' }, 'foreign'],
    [{ origin: 'https://docs.example.com' }, 'own'],
    [{ origin: 'http://localhost:4000' }, 'own'],
    [{ origin: 'http://docs.example.com' }, 'foreign'],
    [{ origin: 'https://docs.example.com.evil.example' }, 'foreign'],
    [{ origin: 'null' }, 'foreign'],
    [{}, 'unknown'],
  ] as [Record<string, string>, string][])('with %j is %s', (headers, sender) => {
    expect(senderOf(new Headers(headers), own)).toBe(sender);
  });
});

/** The status with which a form is refused. */
const forbidden = (text: string) =>
  expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining(text) });

describe('a form', () => {
  const secret = 'dgs_one';
  const refuse = (headers: Record<string, string>, token: string | null) => () =>
    requireOwnForm(new Headers(headers), own, { secret, token });
  const same = { 'sec-fetch-site': 'same-origin' };

  it('is accepted with the token of its sign-in, also without headers', () => {
    expect(refuse(same, formToken(secret))).not.toThrow();
    expect(refuse({}, formToken(secret))).not.toThrow();
  });

  it.each([null, '', 'x', formToken('dgs_other')])('is refused with the token %s', (token) => {
    expect(refuse(same, token)).toThrow(forbidden('out of date'));
  });

  it('is refused from another site with any token', () => {
    expect(refuse({ origin: 'https://evil.example' }, formToken(secret))).toThrow(forbidden('another site'));
  });

  it('does not contain the secret', () => {
    expect(formToken(secret)).not.toContain('dgs');
    expect(formToken(secret)).toHaveLength(43);
  });
});
