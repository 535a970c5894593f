import { describe, expect, it } from 'vitest';
import { isRedirectUriOf, redirectUriError } from '../../../src/domain/oauth/redirect-uri.ts';

describe('a redirect URI to register', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a/b?tenant=1',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/callback',
  ])('may be %s for any client', (uri) => {
    expect([redirectUriError(uri, false), redirectUriError(uri, true)]).toEqual([undefined, undefined]);
  });

  it.each([
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('may be %s for a native client', (uri) => {
    expect(redirectUriError(uri, true)).toBeUndefined();
    expect(redirectUriError(uri, false)).toContain('must use https');
  });

  it.each([
    ['', 'absolute'],
    ['/callback', 'absolute'],
    ['app.example/callback', 'absolute'],
    ['https://app.example/#fragment', 'absolute'],
    ['https://app.example/\r\nX: y', 'absolute'],
    ['https://app.example/a b', 'absolute'],
    ['https://app.example\\@evil.example', 'absolute'],
    ['https://', 'absolute'],
    ['https://user@app.example/', 'user name'],
    ['https://user:pass@app.example/', 'user name'],
    ['https://*.example/callback', 'wildcard'],
    ['http://app.example/callback', 'https'],
    ['http://localhost.evil.example/callback', 'https'],
    ['http://127.0.0.1.evil.example/', 'https'],
    ['https://app.example/?state=1', 'authorization response'],
    ['https://app.example/?%63ode=1', 'authorization response'],
    ['https://app.example/?a=1&iss=1', 'authorization response'],
    ['https://app.example/?error', 'authorization response'],
    ['https://app.example/?error_description=', 'authorization response'],
    ['https://app.example/?error_uri=', 'authorization response'],
    ['myapp:/callback', 'domain name'],
    ['javascript:alert(1)', 'domain name'],
    ['data:text/html,x', 'domain name'],
    ['file:///etc/passwd', 'domain name'],
    [`https://app.example/${'x'.repeat(2_000)}`, 'longer'],
  ])('may not be %s', (uri, reason) => {
    expect(redirectUriError(uri, true)).toContain(reason);
  });
});

describe('a redirect URI in a request', () => {
  const isOf = (native: boolean, registered: string, uri: string) =>
    isRedirectUriOf({ native, redirectUris: ['https://app.example/', registered] }, uri);

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65535/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb?a=1', 'http://[::1]:1/cb?a=1'],
    ['http://127.0.0.1', 'http://127.0.0.1:1'],
    ['http://127.0.0.1?a', 'http://127.0.0.1:1?a'],
    ['http://localhost/cb', 'http://localhost:51004/cb'],
  ])('if %s is registered, may be %s only for a native client', (registered, uri) => {
    expect([isOf(true, registered, uri), isOf(false, registered, uri)]).toEqual([true, false]);
  });

  it('may be the registered one for any client', () => {
    const uri = 'https://app.example/cb?a=1';
    expect([isOf(true, uri, uri), isOf(false, uri, uri)]).toEqual([true, true]);
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:0/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:080/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/other'],
    ['http://127.0.0.1/cb', 'http://[::1]/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.example/cb'],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'xhttp://127.0.0.1/cb'],
    ['http://127.0.0.1', 'http://127.0.0.1.evil.example'],
    ['http://localhost/cb', 'http://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://localhost:1/cb'],
    ['http://localhost/cb', 'http://localhost.evil.example:1/cb'],
    ['http://localhost/cb', 'http://localhost:1@evil.example/cb'],
    ['https://app.example/cb', 'http://127.0.0.1:1/cb'],
    ['https://app.example/cb', 'https://app.example:8443/cb'],
  ])('if %s is registered, is never %s', (registered, uri) => {
    expect([isOf(true, registered, uri), isOf(false, registered, uri)]).toEqual([false, false]);
  });
});
