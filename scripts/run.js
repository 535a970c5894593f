// `npm run admin` and `npm run tour`: the program of that name in src/, compiled if the build is of the present sources, which
// starts sooner.
import { pathToFileURL } from 'node:url';
import { isBuilt } from './build.js';
import { ROOT } from './fingerprint.js';
import { requireInstalled } from './installed.js';

const [node = '', , name, ...rest] = process.argv;

async function program() {
  if (isBuilt()) return `${ROOT}dist/src/${name}/main.js`;
  requireInstalled();
  const { register } = await import('tsx/esm/api');
  register();
  return `${ROOT}src/${name}/main.ts`;
}

const file = await program();
process.argv = [node, file, ...rest];
await import(pathToFileURL(file).href);
