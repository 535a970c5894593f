import { getOperationAST, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { allowedBy, scopesOf } from '../../../src/domain/kernel/scope.ts';
import * as generated from '../../../src/generated/operations/graphql.ts';
import { leastScopesOfText } from '../../../src/graph/operations/least-scope.ts';
import { memoizedScopes, missingScopes } from '../../../src/graph/operations/scope.ts';
import { schema } from '../../../src/graph/schema/schema.ts';

/** The text of every stored operation of the code base, by its name. */
const OPERATIONS = Object.entries(generated).flatMap(([name, value]): [string, string][] =>
  name.endsWith('Document') ? [[name.replace(/Document$/, ''), String(value)]] : [],
);

it('there are stored operations, each with one name', () => {
  expect(OPERATIONS.length).toBeGreaterThan(100);
  for (const [name, text] of OPERATIONS) expect(getOperationAST(parse(text))?.name?.value).toBe(name);
});

describe.each(OPERATIONS)('the least scope of %s', (_, text) => {
  const least = leastScopesOfText(schema, text);
  const required = memoizedScopes(schema, parse(text));
  const missing = (held: typeof least) => scopesOf(missingScopes(required, allowedBy(held)));

  it('is enough, and as narrow as can be', () => {
    expect(least.length).toBeGreaterThan(0);
    expect(missing(least)).toEqual([]);
    for (const scope of least) expect(missing(least.filter((each) => each !== scope))).toEqual([scope]);
  });
});
