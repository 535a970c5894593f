import { readFileSync } from 'node:fs';
import { StaticFiles } from '../ui/static-files.ts';

const PACKAGE = '../../generated/assets/swagger-ui';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

let loaded: StaticFiles | undefined;

/** Swagger UI and the script that starts it: 2 MB, read at the first request. */
export function referenceFiles(): StaticFiles {
  loaded ??= new StaticFiles({
    'swagger-ui-bundle.js': read(`${PACKAGE}/swagger-ui-bundle.js`),
    'swagger-ui.css': read(`${PACKAGE}/swagger-ui.css`),
    'start.js': read('./start.js'),
  });
  return loaded;
}
