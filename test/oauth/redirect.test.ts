import { describe, expect, it } from 'vitest';
import { RedirectedError } from '../../src/oauth/errors.ts';
import { redirectError, redirectToClient } from '../../src/oauth/redirect.ts';

const ISSUER = 'https://docs.example.com';
const iss = 'iss=https%3A%2F%2Fdocs.example.com';

describe('the redirect to a client', () => {
  it.each([
    ['https://app.example/cb', `https://app.example/cb?code=c&state=s&${iss}`],
    ['https://app.example/cb?', `https://app.example/cb?code=c&state=s&${iss}`],
    ['https://app.example/cb?a=1', `https://app.example/cb?a=1&code=c&state=s&${iss}`],
    ['https://app.example/cb?a=1&', `https://app.example/cb?a=1&code=c&state=s&${iss}`],
    ['com.example.app:/cb', `com.example.app:/cb?code=c&state=s&${iss}`],
  ])('goes to %s and keeps its query', (redirectUri, location) => {
    const { status, headers } = redirectToClient({ redirectUri, state: 's' }, ISSUER, { code: 'c' });
    expect([status, headers.get('location')]).toEqual([303, location]);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
  });

  it('has the state of the request, if any', () => {
    const redirectUri = 'https://app.example/cb';
    const { headers } = redirectToClient({ redirectUri, state: undefined }, ISSUER, { code: 'c' });
    expect(headers.get('location')).toBe(`${redirectUri}?code=c&${iss}`);
  });

  it('describes the error in error_description', () => {
    const target = { redirectUri: 'https://app.example/cb', state: 'a b' };
    const error = new RedirectedError('invalid_scope', 'The scope is unknown.');
    const { headers } = redirectError(target as Parameters<typeof redirectError>[0], ISSUER, error);
    expect(headers.get('location')).toBe(
      `https://app.example/cb?error=invalid_scope&error_description=The+scope+is+unknown.&state=a+b&${iss}`,
    );
  });
});
