import { describe, expect, it } from 'vitest';
import { hashSecret, isLinkSecret, newSecret } from '../../src/lib/secret.ts';

describe('a secret', () => {
  it('is its prefix and 256 bits, other ones each time, and needs no escapes', () => {
    const secrets = Array.from({ length: 100 }, () => newSecret('dgk_'));
    for (const secret of secrets) expect(secret).toMatch(/^dgk_[\w-]{43}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  it('is stored as its SHA-256', () => {
    expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it.each([
    ['dgl_', 'A'.repeat(42)],
    ['dgl_', 'A'.repeat(44)],
    ['dgk_', 'A'.repeat(43)],
    ['xdgl_', 'A'.repeat(43)],
    ['dgl_', `${'A'.repeat(42)}+`],
    ['dgl_', `${'A'.repeat(43)}\n`],
  ])('is none of a link as %s%j', (prefix, rest) => {
    expect(isLinkSecret(prefix + rest)).toBe(false);
  });

  it('is one of a link in the shape of one', () => {
    expect(isLinkSecret(`dgl_${'Az0-_'.repeat(8)}Az0`)).toBe(true);
  });
});
