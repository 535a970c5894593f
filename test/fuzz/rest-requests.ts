import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Schema } from '../../src/lib/openapi.ts';
import type { Tenant } from '../matrix/tenant.ts';
import { description } from '../support/description.ts';
import { fromSchema, type Ids, text, varied } from './values.ts';

export interface WireRequest {
  method: string;
  path: string;
  type: string;
  body: string | Uint8Array | undefined;
}

const TYPES = ['application/json', 'application/json; charset=utf-16', 'text/plain', 'application/xml', ''];

const operations = Object.entries(description.paths).flatMap(
  ([path, { servers: _, parameters: __, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
);

/** Ways to make a JSON text malformed. */
const MALFORMED: ((json: string) => string | Uint8Array)[] = [
  (json) => `\ufeff${json}`,
  (json) => `${json} x`,
  (json) => json.slice(0, -1),
  (json) => json.replace('{', '{"Name":1,"Name":"twice","name":"again",'),
  (json) => json.replace(/"/g, "'"),
  (json) => `${'['.repeat(100_000)}${json}`,
  () => `${'[{"a":'.repeat(20_000)}1`,
  (json) => json.replace(/\d+/g, '1e400'),
  (json) => json.replace(/:"/g, ':"\\u0000\\ud800'),
  (json) => Uint8Array.from([0xff, 0xfe, ...Buffer.from(json, 'utf16le')]),
  (json) => Uint8Array.from([...Buffer.from(json), 0xc3, 0x28]),
  () => 'null',
  () => '',
];

const bodyOf = (
  { requestBody, operationId }: Operation,
  ids: Ids,
  tenant: Tenant,
): Arbitrary<WireRequest['body']> => {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const sound = tenant.bodies[operationId.replace(/Alias$/, '')];
  const values = fc.oneof(
    { weight: sound === undefined ? 0 : 3, arbitrary: varied(sound ?? {}, membersOf(schema, ids)) },
    { weight: 1, arbitrary: fromSchema(schema, ids) },
  );
  const json = values.map((value) => JSON.stringify(value) ?? 'null');
  const spoilt = fc.tuple(json, fc.constantFrom(...MALFORMED)).map(([sound, spoil]) => spoil(sound));
  return fc.oneof({ weight: 6, arbitrary: json }, { weight: 1, arbitrary: spoilt });
};

/** The members of a record, or of the records of a list. */
function membersOf(schema: Schema, ids: Ids): Record<string, Arbitrary<unknown>> {
  const named = schema.$ref?.split('/').at(-1);
  if (named) return membersOf(description.components.schemas[named] as Schema, ids);
  const inner = schema.items ?? schema.anyOf?.[0];
  if (inner) return membersOf(inner, ids);
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, each]) => [name, fromSchema(each, ids, name)]));
}

/** Encodes a value for a URL; lone surrogates, which no client can send, are replaced. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed());

function queryOf({ parameters = [] }: Operation, ids: Ids): Arbitrary<string> {
  const queryParameters = parameters.filter((each) => each.in === 'query');
  const members = queryParameters.map(({ name, schema }) => [name, fromSchema(schema, ids, name)]);
  return fc
    .tuple(fc.record(Object.fromEntries(members), { requiredKeys: [] }), fc.option(text, { freq: 5 }))
    .map(([values, more]) => {
      const pairs = Object.entries(values).map(([name, value]) => `${name}=${encode(String(value))}`);
      return [...pairs, ...(more === null ? [] : [`${encode(more)}=1`, 'pageSize=1e9', '%'])].join('&');
    });
}

/** The path, mostly of an existing object. */
function pathOf(path: string, own: Record<string, string>, ids: Ids): Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const values = names.map((name) =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constant(own[name] ?? 'none') },
      { weight: 1, arbitrary: ids(name) },
      { weight: 1, arbitrary: text.filter((each) => !/^\.{0,2}$/.test(each)) },
    ),
  );
  return fc
    .tuple(...values)
    .map((values) =>
      names.reduce(
        (whole, name, index) => whole.replace(`{${name}}`, () => encode(String(values[index]))),
        path,
      ),
    );
}

/** Requests of every described operation, most of them nearly valid. */
export const restRequests = (tenant: Tenant, ids: Ids): Arbitrary<WireRequest> =>
  fc.constantFrom(...operations).chain(({ path, method, operation }) =>
    fc
      .tuple(
        pathOf(path, tenant.at, ids),
        queryOf(operation, ids),
        bodyOf(operation, ids, tenant),
        fc.oneof(
          { weight: 9, arbitrary: fc.constant(TYPES[0] as string) },
          { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
        ),
      )
      .map(([pathAndHeaders, query, body, type]) => ({
        method,
        path: `${operation.operationId === 'listApplicationDocuments' || path === '/documents' ? '' : '/api/v1'}${pathAndHeaders}${query && `?${query}`}`,
        type,
        body,
      })),
  );
