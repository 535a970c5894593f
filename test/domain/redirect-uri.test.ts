import { describe, expect, it } from 'vitest';
import { redirectUriFault } from '../../src/domain/redirect-uri.ts';

describe('an address to register', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a/b?tenant=1',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/callback',
  ])('may be %s, whatever the client', (uri) => {
    expect([redirectUriFault(uri, false), redirectUriFault(uri, true)]).toEqual([undefined, undefined]);
  });

  it.each([
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('may be %s of a native client', (uri) => {
    expect(redirectUriFault(uri, true)).toBeUndefined();
    expect(redirectUriFault(uri, false)).toContain('must use https');
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
    ['myapp:/callback', 'domain name'],
    ['javascript:alert(1)', 'domain name'],
    ['data:text/html,x', 'domain name'],
    ['file:///etc/passwd', 'domain name'],
    [`https://app.example/${'x'.repeat(2_000)}`, 'longer'],
  ])('is not %s', (uri, reason) => {
    expect(redirectUriFault(uri, true)).toContain(reason);
  });
});
