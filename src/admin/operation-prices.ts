import { type DocumentNode, Kind, parse, validate } from 'graphql';
import { badInput } from '../domain/kernel/errors.ts';
import { readManifest } from '../graph/http/persisted.ts';
import { type CostLimits, costOf } from '../graph/operations/cost.ts';
import { requiredScopes } from '../graph/operations/required-scopes.ts';
import { leastScopesOf } from '../graph/operations/scope.ts';
import { schema } from '../graph/schema/schema.ts';

/** The server's limits by default. Only the size of a page enters the price. */
const LIMITS: CostLimits = { queryCost: 10_000, queryDepth: 15, pageSize: 25, pageSizeMax: 100 };

/**
 * The points and levels of each operation of a file: a manifest of stored operations in JSON, or GraphQL operations. One line
 * for each. Throws BAD_USER_INPUT for operations that are not valid.
 */
export const operationPrices = (text: string): string => documentsOf(text).flatMap(pricesOf).join('\n');

/**
 * The smallest set of scopes of each operation of such a file, and in the last line that of all together. Throws BAD_USER_INPUT likewise.
 */
export function operationScopes(text: string): string {
  const operations = documentsOf(text).flatMap((document) =>
    namesOf(document).map(([name, title]) => ({ title, required: requiredScopes(schema, document, name) })),
  );
  const lines = operations.map(({ title, required }) => `${title}: ${leastScopesOf([required]).join(' ')}`);
  const all = leastScopesOf(operations.map(({ required }) => required));
  return lines.length > 1 ? [...lines, `all: ${all.join(' ')}`].join('\n') : lines.join('\n');
}

/** The operations of a document by their names, with what to call them. */
const namesOf = (document: DocumentNode): [name: string | undefined, title: string][] =>
  document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [[each.name?.value, each.name?.value ?? each.operation]] : [],
  );

function documentsOf(text: string): DocumentNode[] {
  const manifest = manifestOf(text);
  if (manifest) return [...new Set(manifest.values())].map((each) => parse(each));
  const document = parse(text);
  const [problem] = validate(schema, document);
  if (problem) throw badInput(problem.message);
  return [document];
}

/** Undefined for a text that is not JSON. */
function manifestOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return readManifest(text);
}

/** Variables without a default count as if they were not sent. */
const pricesOf = (document: DocumentNode): string[] =>
  namesOf(document).map(([name, title]) => {
    const { points, depth } = costOf(schema, document, name, {}, LIMITS);
    return `${String(points).padStart(7)} points, ${depth} levels: ${title}`;
  });
