import { describe, expect, it } from 'vitest';
import { digest, seal, unseal, vault } from '../../src/lib/seal.ts';

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

describe('a vault', () => {
  const [old, current] = [Uint8Array.from(Buffer.alloc(32, 1)), Uint8Array.from(Buffer.alloc(32, 2))];

  it('opens what it sealed, and what was sealed before its first secret was', () => {
    const sealed = [vault([old]).seal('dgw_x', 'whk_1'), vault([current, old]).seal('dgw_x', 'whk_1')];
    expect(sealed.map((each) => vault([current, old]).open(each, 'whk_1'))).toEqual(['dgw_x', 'dgw_x']);
    expect(sealed.join()).not.toContain('dgw_');
  });

  it('opens what earlier releases sealed', () => {
    const stored = 'sealed:3Ox9TO2BTAPcYwx40oBdSyiZYzInFexzNneCaMYY7Mc1';
    expect(vault([old]).open(stored, 'whk_1')).toBe('dgw_x');
  });

  it('opens nothing for another owner, without the secret, or after a change', () => {
    const sealed = vault([old]).seal('dgw_x', 'whk_1');
    const refused = 'unable to authenticate';
    expect(() => vault([old]).open(sealed, 'whk_2')).toThrow(refused);
    expect(() => vault([current]).open(sealed, 'whk_1')).toThrow(refused);
    expect(() => vault([old]).open(`${sealed.slice(0, -2)}AA`, 'whk_1')).toThrow(refused);
  });

  it('returns unsealed text unchanged', () => {
    expect(vault([old]).open('dgw_x', 'whk_1')).toBe('dgw_x');
  });
});
