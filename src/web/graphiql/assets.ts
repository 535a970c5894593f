import { readFileSync } from 'node:fs';
import { StaticFiles } from '../ui/static-files.ts';

const NAMES = ['graphiql.js', 'graphiql.css', 'editor.worker.js', 'json.worker.js', 'graphql.worker.js'];

const textOf = (name: string): string =>
  readFileSync(new URL(`../../generated/assets/graphiql/${name}`, import.meta.url), 'utf8');

let loaded: StaticFiles | undefined;

/** GraphiQL's files: 8 MB, read at the first request. */
export function graphiqlFiles(): StaticFiles {
  loaded ??= new StaticFiles(Object.fromEntries(NAMES.map((name) => [name, textOf(name)])));
  return loaded;
}

/** The folder of these files in URLs, which changes with them. */
export const graphiqlFolder = (): string => `/graphql/assets/${graphiqlFiles().version}`;
