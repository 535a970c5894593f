import type { Method, OpenApi, PathItem, Schema } from '../../lib/openapi.ts';
import type { Route } from '../wire/route.ts';
import { AREAS } from './areas.ts';
import type { Area, Operation, Page } from './contract/contract.ts';
import { errorResponses, PROBLEM } from './openapi-errors.ts';
import { isPage, operationOf, pageName, pathParameters } from './openapi-operation.ts';
import { DESCRIPTION, securitySchemes } from './openapi-text.ts';
import { shapeSchema, typeSchema } from './schema.ts';

/** The description of REST v1: its routes, with the texts and shapes of the contract. */
export function openApi(publicUrl: string, routes: Route[], viewerRoutes: Route[]): OpenApi {
  const paths = {
    ...pathsOf(routes),
    ...pathsOf(viewerRoutes, { servers: [{ url: publicUrl, description: 'This path is outside /api/v1.' }] }),
  };
  const responses = errorResponses(publicUrl);
  const tagged = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(tagsOf)));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Docgraph REST API',
      version: '1.0.0',
      summary:
        'Document management over HTTP: organizations, documents, tasks, approvals, forms, signatures, search.',
      description: DESCRIPTION,
      contact: { name: 'Docgraph', url: publicUrl },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: AREAS.filter(({ title }) => tagged.has(title)).map(({ title, about }) => ({
      name: title,
      description: about,
    })),
    paths,
    components: {
      schemas: schemasOf({ paths, responses }),
      responses,
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}

const tagsOf = (part: unknown): string[] => (part as { tags?: string[] }).tags ?? [];

/** The operation of a route in the contract. Throws for an unknown id. */
export function contractOf(id: string): { area: Area; contract: Operation } {
  for (const area of AREAS) {
    const contract = area.operations[id];
    if (contract) return { area, contract };
  }
  throw new Error(`The contract has no operation ${id}.`);
}

function pathsOf(routes: Route[], more: PathItem = {}): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    const { area, contract } = contractOf(route.id);
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const name = path.replace(/:(\w+)/g, '{$1}');
      paths[name] ??= { ...more, ...(path.includes(':') && { parameters: pathParameters(path) }) };
      paths[name][route.method.toLowerCase() as Method] = operationOf(route, contract, area, path);
    }
  }
  return paths;
}

const PAGES: Page[] = AREAS.flatMap(({ operations }) =>
  Object.values(operations).flatMap(({ answer }) => (isPage(answer) ? answer : [])),
);

const pages = new Map(PAGES.map((page) => [pageName(page), page]));

function pageSchema(page: Page): Schema {
  const list = listSchema(page);
  if (!page.beside) return list;
  const { properties, required = [] } = shapeSchema(page.beside);
  return {
    ...list,
    properties: { ...properties, ...list.properties },
    required: [...required, ...(list.required ?? [])],
  };
}

const listSchema = ({ key, of, events }: Page): Schema => ({
  type: 'object',
  description: `One page of ${key}.`,
  properties: {
    [key]: {
      type: 'array',
      items: typeSchema(of),
      description: 'The items of the page; empty after the last page.',
    },
    Cursor: { type: 'string', description: 'The cursor of the next page; never empty.' },
    ...(events && {
      ReverseCursor: { type: 'string', description: 'The cursor of the start of the page; may be empty.' },
    }),
    PageSize: {
      type: 'integer',
      description: 'The number of items of a full page; 0 if the list is complete.',
    },
  },
  required: [key, 'Cursor', ...(events ? ['ReverseCursor'] : []), 'PageSize'],
});

function schemaNamed(name: string): Schema {
  const page = pages.get(name);
  if (page) return pageSchema(page);
  return name === 'Problem' ? PROBLEM : shapeSchema(name);
}

/** The schemas that are referenced, directly or by another schema. */
function schemasOf(within: unknown): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const visit = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!name || schemas[name]) continue;
      schemas[name] = schemaNamed(name);
      visit(schemas[name]);
    }
  };
  visit(within);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
