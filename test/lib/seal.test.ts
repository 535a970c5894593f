import { describe, expect, it } from 'vitest';
import { digest, seal, unseal } from '../../src/lib/seal.ts';

const salt = digest('salt');

describe('a sealed text', () => {
  it('is read with its secret, and looks different each time', () => {
    const sealed = [seal('a tëxt', 'secret', salt), seal('a tëxt', 'secret', salt)];
    expect(sealed.map((each) => unseal(each, 'secret', salt))).toEqual(['a tëxt', 'a tëxt']);
    expect(Buffer.from(sealed[0] as Uint8Array).equals(sealed[1] as Uint8Array)).toBe(false);
  });

  it('is read with no other secret, for no other salt, and not when a bit of it changed', () => {
    const sealed = seal('text', 'secret', salt);
    expect(() => unseal(sealed, 'other', salt)).toThrow();
    expect(() => unseal(sealed, 'secret', digest('other'))).toThrow();
    for (const index of sealed.keys()) {
      const changed = sealed.map((byte, at) => (at === index ? byte ^ 1 : byte));
      expect(() => unseal(changed, 'secret', salt)).toThrow();
    }
  });
});
