import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/domain/kernel/viewer.ts';
import type { Scope } from '../../../src/generated/prisma/client.ts';
import { requireScope, scopeOf } from '../../../src/graph/operations/scope.ts';

describe('the scope that an operation requires', () => {
  it.each([
    ['{ a }', undefined, 'read'],
    ['subscription { a }', undefined, 'read'],
    ['mutation { a }', undefined, 'write'],
    ['query Q { a } mutation M { b }', 'Q', 'read'],
    ['query Q { a } mutation M { b }', 'M', 'write'],
    ['mutation M { b } query Q { a }', 'Q', 'read'],
    ['mutation M { b } query Q { a }', 'neither', 'read'],
  ])('of %j, running %s, is %s', (text, name, scope) => {
    expect(scopeOf(parse(text), name)).toBe(scope);
  });

  it.each([
    ['read', ['read'], true],
    ['write', ['write'], true],
    ['read', ['write'], false],
    ['write', ['read'], false],
    ['read', [], false],
  ] as ['read' | 'write', Scope[], boolean][])('%s is satisfied by %j: %s', (scope, scopes, enough) => {
    const viewer: Viewer = {
      ...{ userId: 'usr_1', email: 'a@example.test', name: 'A', credentialId: 'key_1', memberships: [] },
      scopes: new Set(scopes),
    };
    const require = () => requireScope(viewer, scope);
    const refused = expect.objectContaining({
      code: 'INSUFFICIENT_SCOPE',
      message: expect.stringContaining(scope),
    });
    if (enough) expect(require).not.toThrow();
    else expect(require).toThrow(refused);
  });
});
