import { describe, expect, it } from 'vitest';
import { hashAccessCode, isAccessCode } from '../../../src/domain/signatures/access-code.ts';

describe('an access code', () => {
  it('is stored as scrypt of it, with a salt of its own', async () => {
    const [one, other] = await Promise.all([hashAccessCode('1234'), hashAccessCode('1234')]);
    expect(one).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
  });

  it('is told from every other', async () => {
    const stored = await hashAccessCode('Straße 1');
    const verdicts = ['Straße 1', 'straße 1', 'Straße 1 ', ''].map((each) => isAccessCode(each, stored));
    expect(await Promise.all(verdicts)).toEqual([true, false, false, false]);
  });

  it('is the same however the keyboard composed it', async () => {
    expect(await isAccessCode('e\u0301', await hashAccessCode('\u00e9'))).toBe(true);
  });

  it('is the one that earlier releases stored', async () => {
    const stored = 'scrypt$ODRQXvJVfiNqVAfY6tEI6Q$V5tWM8z5XOTOu-BcxhFTt1px53mU4HdpWXQzzW2OSBs';
    expect(await isAccessCode('Ünited 1', stored)).toBe(true);
  });
});
