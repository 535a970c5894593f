import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The files below a path with their size and modification time: a replaced file need not be newer.
 *
 * @param {string} path
 * @param {string} excluded
 * @returns {Generator<string>}
 */
function* statesOf(path, excluded) {
  const stats = path === excluded ? undefined : statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) yield `${path}\0${stats.size}\0${stats.mtimeMs}\n`;
  else for (const name of readdirSync(join(ROOT, path)).sort()) yield* statesOf(`${path}/${name}`, excluded);
}

/**
 * Changes with every change of a file below the paths, except in `excluded`. Paths are relative to the repository.
 *
 * @param {string[]} paths
 * @param {string} excluded
 */
export function fingerprint(paths, excluded) {
  const hash = createHash('sha256');
  for (const path of paths) for (const state of statesOf(path, excluded)) hash.update(state);
  return hash.digest('hex');
}
