import { readFileSync } from 'node:fs';

/** A schema as the wire contract writes it: JSON Schema, but with `required` and `nullable` on the member itself. */
interface WireSchema {
  type: string | string[];
  nullable?: boolean;
  required?: boolean;
  properties?: Record<string, WireSchema>;
  items?: WireSchema;
  additionalProperties?: WireSchema;
}

interface Endpoint {
  id: string;
  method: string;
  path: string;
  response: WireSchema;
}

const { endpoints, beyondSeed } = JSON.parse(
  readFileSync(new URL('data/rest-v1.json', import.meta.url), 'utf8'),
) as {
  endpoints: Endpoint[];
  beyondSeed: Endpoint[];
};

export const endpointOf = (id: string): Endpoint => {
  const found = [...endpoints, ...beyondSeed].find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`The contract has no endpoint ${id}.`);
  return found;
};

/** What the strict client would stumble over: every member there, not null, of its type. */
export function faults(value: unknown, schema: WireSchema, at = '$'): string[] {
  if (value === null) return schema.nullable ? [] : [`${at} is null`];
  if (value === undefined) return [`${at} is missing`];
  if (Array.isArray(schema.type)) return [];
  switch (schema.type) {
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
            faults((value as Record<string, unknown>)[name], member, `${at}.${name}`),
          )
        : [`${at} is no object`];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => faults(item, schema.items as WireSchema, `${at}[${index}]`))
        : [`${at} is no array`];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${at} is no integer`];
    default:
      return schema.type === typeof value ? [] : [`${at} is ${typeof value}, not ${schema.type}`];
  }
}
