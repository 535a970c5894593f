import { expect, it } from 'vitest';
import { APPLICATION_SCOPES } from '../../src/domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../src/domain/kernel/scope-text.ts';
import { textOf } from './blocks.ts';

it('docs/start-oauth.md has every scope, with the words of the consent page', () => {
  const rows = textOf('docs/start-oauth.md').match(/^\| `(?:read|write|openid|profile|email|\w+:\w+)` .*$/gm);
  const expected = APPLICATION_SCOPES.map((scope) => {
    const { text, danger } = SCOPE_TEXTS[scope];
    return ['', ` \`${scope}\` `, ` ${text} `, danger ? ` ${danger} ` : ' ', ''].join('|');
  });
  expect(rows).toEqual(expected);
});
