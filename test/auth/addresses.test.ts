import { describe, expect, it } from 'vitest';
import { clientAddress, networkOf } from '../../src/auth/client-address.ts';
import { returnTo } from '../../src/auth/return-to.ts';

describe('the address of a client', () => {
  it.each([
    ['192.0.2.7', null, 0, '192.0.2.7'],
    ['192.0.2.7', '203.0.113.9', 0, '192.0.2.7'],
    ['10.0.0.1', '203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.9', 2, '198.51.100.1'],
    ['10.0.0.1', '203.0.113.9', 2, '10.0.0.1'],
    ['10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['10.0.0.1', null, 1, '10.0.0.1'],
    ['10.0.0.1', '::FFFF:203.0.113.9', 1, '203.0.113.9'],
    ['::ffff:192.0.2.7', null, 0, '192.0.2.7'],
    ['1::ffff:192.0.2.7', null, 0, '1::ffff:192.0.2.7'],
    ['fe80::1%eth0', null, 0, 'fe80::1'],
    [undefined, null, 0, ''],
  ])('of socket %s, forwarded %s, behind %i proxies is %s', (socket, forwarded, proxies, address) => {
    expect(clientAddress(socket, forwarded, proxies)).toBe(address);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::3:4:5:6:7', '2001:0:0:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('the target after signing in', () => {
  it.each([
    ['/graphql', '/graphql'],
    ['/oauth/authorize?client_id=a&state=%2F%2Fb&redirect_uri=https%3A%2F%2Fapp.example%2Fcb', null],
    ['/a/../b?x=1#y', '/b?x=1#y'],
    ['/%2F%2Fevil.example', null],
    ['/http://evil.example', null],
  ])('is %s if requested', (requested, target) => {
    expect(returnTo(requested, '/home')).toBe(target ?? requested);
  });

  it.each([
    undefined,
    '',
    'graphql',
    'a/b',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/x/%2e%2e//evil.example',
    '/a\\b',
    '/a b',
    '/a\r\nSet-Cookie: x=y',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '?x',
    `/${'x'.repeat(6_000)}`,
  ])('is the home page for %j', (requested) => {
    expect(returnTo(requested, '/home')).toBe('/home');
  });

  it('is always a path of this server, as a browser resolves it', () => {
    const parts = ['/', '\\', '.', '..', '%2f', '%5c', '%2e', '//', 'evil.example', ':', '@', '?', '#', '\t'];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const target = new URL(returnTo(`/${a}${b}${c}${d}`, '/home'), 'https://ours.example');
            if (target.origin !== 'https://ours.example') expect.fail(`${a}${b}${c}${d}`);
          }
  });
});
