import { describe, expect, it } from 'vitest';
import { hashAccessCode, isAccessCode } from '../../../src/domain/signatures/access-code.ts';

describe('an access code', () => {
  it('is stored as a scrypt hash with a random salt', async () => {
    const [one, other] = await Promise.all([hashAccessCode('1234'), hashAccessCode('1234')]);
    expect(one).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
  });

  it('does not match any other code', async () => {
    const stored = await hashAccessCode('Straße 1');
    const verdicts = ['Straße 1', 'straße 1', 'Straße 1 ', ''].map((each) => isAccessCode(each, stored));
    expect(await Promise.all(verdicts)).toEqual([true, false, false, false]);
  });

  it('matches in any Unicode composition', async () => {
    expect(await isAccessCode('e\u0301', await hashAccessCode('\u00e9'))).toBe(true);
  });

  it('matches hashes of earlier releases', async () => {
    const stored = 'scrypt$ODRQXvJVfiNqVAfY6tEI6Q$V5tWM8z5XOTOu-BcxhFTt1px53mU4HdpWXQzzW2OSBs';
    expect(await isAccessCode('Ünited 1', stored)).toBe(true);
  });
});
