import SchemaBuilder from '@pothos/core';
import { printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graph/schema/schema.ts';
import { deprecationHeaders, routeName } from '../../../src/lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../../../src/lib/deprecation/deprecations.ts';
import { parseScope } from '../../../src/oauth/request/scope.ts';
import { restRoutes } from '../../../src/rest/routes.ts';
import { newWorld } from '../../support/world.ts';
import '../../../src/graph/schema/kernel/deprecation-plugin.ts';

const routes = restRoutes.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((each) => routeName(method, each)),
);

const exists = (name: string): boolean => {
  if (name.startsWith('scope '))
    return parseScope(name.slice('scope '.length), ['read', 'write']) !== undefined;
  if (name.includes('/')) return routes.includes(name);
  return (
    printSchema(schema).includes('@deprecated') && schema.getType(name.split('.')[0] ?? '') !== undefined
  );
};

describe('what is deprecated', () => {
  it('exists, and so does what replaces it', () => {
    for (const [name, { instead }] of Object.entries(DEPRECATIONS)) {
      expect([name, exists(name)]).toEqual([name, true]);
      const names = name.startsWith('scope ')
        ? instead.split(' ').map((scope) => `scope ${scope}`)
        : [instead];
      for (const each of names) expect([each, exists(each)]).toEqual([each, true]);
    }
  });

  it('contains every alias of a route', () => {
    const aliases = restRoutes.flatMap(({ method, aliases = [] }) =>
      aliases.map((path) => routeName(method, path)),
    );
    expect(aliases.length).toBeGreaterThan(0);
    for (const alias of aliases) expect(Object.keys(DEPRECATIONS)).toContain(alias);
  });

  it('is listed by the graph', async () => {
    const { stranger } = await newWorld();
    const { data } = await stranger.graph('{ deprecations { name since removal instead } }');
    expect(data.deprecations).toEqual(
      Object.entries(DEPRECATIONS).map(([name, each]) => ({ name, removal: null, ...each })),
    );
  });

  it('has headers that say since when and until when', () => {
    expect(deprecationHeaders({ since: '2026-11-26', removal: '2027-10-01', instead: 'it' })).toEqual({
      Deprecation: '@1795651200',
      Sunset: 'Fri, 01 Oct 2027 00:00:00 GMT',
    });
  });

  it('is marked in the schema: fields, arguments, members of inputs and values of enums', () => {
    const entry = { since: '2026-11-26', removal: '2027-10-01', instead: 'Query.b' };
    // @ts-expect-error: the options of Prisma's plugin, which this builder does not have
    const builder = new SchemaBuilder({
      plugins: ['deprecation'],
      deprecations: {
        'Query.a': entry,
        'Query.b(c:)': entry,
        'In.d': entry,
        'Kind.OLD': { ...entry, removal: undefined },
      },
    });
    const kind = builder.enumType('Kind', { values: ['OLD', 'NEW'] });
    const input = builder.inputType('In', { fields: (t) => ({ d: t.string(), e: t.field({ type: kind }) }) });
    builder.queryType({
      fields: (t) => ({
        a: t.int({ resolve: () => 1 }),
        b: t.int({ args: { c: t.arg.int(), in: t.arg({ type: input }) }, resolve: () => 1 }),
      }),
    });
    const text = printSchema(builder.toSchema());
    const reason =
      '@deprecated(reason: "Use `Query.b`. Deprecated since 2026-11-26, removed on 2027-10-01.")';
    for (const line of [`a: Int ${reason}`, `c: Int ${reason}`, `d: String ${reason}`])
      expect(text).toContain(line);
    expect(text).toContain(
      'OLD @deprecated(reason: "Use `Query.b`. Deprecated since 2026-11-26, no removal is planned.")',
    );
    expect(text.match(/@deprecated/g)).toHaveLength(4);
  });
});
