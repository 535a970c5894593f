import { describe, expect, it } from 'vitest';
import { parseScope } from '../../src/oauth/scope.ts';

describe('a scope (RFC 6749 §3.3)', () => {
  it.each([
    ['read', ['read']],
    ['write', ['write']],
    ['read write', ['read', 'write']],
    ['write read', ['read', 'write']],
    ['read read', ['read']],
  ])('may be %j', (text, scopes) => {
    expect(parseScope(text)).toEqual(scopes);
  });

  it.each([
    '',
    ' ',
    'admin',
    'read admin',
    'READ',
    ' read',
    'read ',
    'read  write',
    'read,write',
    'read\twrite',
  ])('is invalid as %j', (text) => {
    expect(parseScope(text)).toBeUndefined();
  });
});
