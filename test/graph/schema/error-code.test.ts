import { readFileSync } from 'node:fs';
import { GraphQLEnumType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/domain/kernel/errors.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { newWorld } from '../../support/world.ts';

const codes = Object.keys(ERROR_CODES);

describe('the closed list of error codes', () => {
  it('is the enum ErrorCode, with the same descriptions', () => {
    const type = schema.getType('ErrorCode') as GraphQLEnumType;
    expect(type).toBeInstanceOf(GraphQLEnumType);
    expect(Object.fromEntries(type.getValues().map(({ name, description }) => [name, description]))).toEqual(
      ERROR_CODES,
    );
  });

  it('is in the description of Query, which introspection shows first', () => {
    const description = schema.getQueryType()?.description ?? '';
    expect(codes.filter((code) => !description.includes(code))).toEqual([]);
  });

  it('has a section for each code in docs/errors.md, and a row that links to it', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    expect([...page.matchAll(/^### ([A-Z_]{4,})$/gm)].map(([, code]) => code)).toEqual(codes);
    const links = [...page.matchAll(/^\| \[([A-Z_]+)\]\(#([a-z_]+)\)/gm)].map(([, code, anchor]) => [
      code,
      anchor,
    ]);
    expect(links).toEqual(codes.map((code) => [code, code.toLowerCase()]));
  });

  it('is a field, so that generators write the type', async () => {
    const { owner } = await newWorld();
    expect((await owner.graph('{ errorCodes }')).data).toEqual({ errorCodes: codes });
  });
});
