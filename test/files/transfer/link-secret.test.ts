import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { linkSecrets } from '../../../src/files/transfer/link-secret.ts';
import { isLinkSecret } from '../../../src/lib/secret.ts';

describe('the secret of a link', () => {
  it('is deterministic, has the format of a secret, and opens only its link', () => {
    const links = linkSecrets([randomBytes(32)]);
    const secret = links.linkSecret('sgr_a.1');
    expect(links.linkSecret('sgr_a.1')).toBe(secret);
    expect(isLinkSecret(secret)).toBe(true);
    expect([links.opensLink(secret, 'sgr_a.1'), links.opensLink(secret, 'sgr_a.2')]).toEqual([true, false]);
    expect(links.opensLink(secret, 'sgr_b.1')).toBe(false);
  });

  it('is the same as in earlier releases', () => {
    const sent = 'dgl_oLcqI91PYMTAwmW4NCAJNCfJiQwPEiqV8nIsIJA8eoE';
    expect(linkSecrets([Buffer.alloc(32, 1)]).opensLink(sent, 'sgr_a.1')).toBe(true);
  });

  it.each([
    ['nothing', () => ''],
    ['a part of it', (secret: string) => secret.slice(0, -1)],
    ['more than it', (secret: string) => `${secret}A`],
    [
      'another spelling of its last character',
      (secret: string) => secret.slice(0, -1) + next(secret.slice(-1)),
    ],
    ['letters that take more than a byte', (secret: string) => 'é'.repeat(secret.length)],
  ])('is not %s', (_, change) => {
    const links = linkSecrets([randomBytes(32)]);
    expect(links.opensLink(change(links.linkSecret('sgr_a.1')), 'sgr_a.1')).toBe(false);
  });

  it('works after the secret of the server was replaced, until the old one is removed', () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const secret = linkSecrets([old]).linkSecret('sgr_a.1');
    const both = linkSecrets([fresh, old]);
    expect([both.opensLink(secret, 'sgr_a.1'), both.linkSecret('sgr_a.1') === secret]).toEqual([true, false]);
    expect(linkSecrets([fresh]).opensLink(secret, 'sgr_a.1')).toBe(false);
  });
});

/** The next character of base64url: where it decodes to the same bytes, it is another text all the same. */
const next = (character: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[(alphabet.indexOf(character) + 1) % 64] as string;
};
