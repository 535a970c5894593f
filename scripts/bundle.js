// A step of `npm run build`: puts the server and the packages of its start into a few files, as Node needs most of the time of a
// start to find, read and link 2,000 modules. Programs of child processes and threads stay modules of their own.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './fingerprint.js';
import { licensesOf } from './licenses.js';

const SOURCE = join(ROOT, 'src');
const OUTPUT = join(ROOT, 'dist/src');
const CHUNK = /^chunk-\w+\.js$/;

/**
 * Packages of JavaScript alone that every start needs, with what they depend on, and those that are handed their objects: the adapter
 * of Prisma gets a pool of `pg`, of which there has to be one copy.
 */
const BUNDLED = new Set([
  '@hono/node-server',
  '@opentelemetry/api',
  '@pothos/core',
  '@pothos/plugin-prisma',
  '@pothos/plugin-relay',
  '@prisma/adapter-pg',
  'dataloader',
  'graphql',
  'graphql-yoga',
  'hono',
  'htmlparser2',
  'jose',
  'nodemailer',
  'pg',
  'pg-protocol',
  'postal-mime',
  'prom-client',
  'uqr',
  'zod',
]);

/** `pg` looks for it, and does without. */
const OPTIONAL = 'pg-native';

const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** The packages that are loaded from node_modules. */
function externalPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const names = [...Object.keys(dependencies).filter((name) => !BUNDLED.has(name)), OPTIONAL];
  return names.flatMap((name) => [name, `${name}/*`]);
}

/**
 * The bundles are in the folder of src/main.ts: there a file is named as if it were at its own place.
 *
 * @type {import('esbuild').Plugin}
 */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]sx?$/ }, ({ path }) => {
      const text = path.includes('node_modules') ? '' : readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const own = `new URL(${JSON.stringify(`./${relative(SOURCE, path)}`)}, import.meta.url).href`;
      const loader = /** @type {'js' | 'ts' | 'tsx'} */ (/\w+$/.exec(path)?.[0]);
      return { contents: text.replaceAll('import.meta.url', own), loader, resolveDir: dirname(path) };
    });
  },
};

/** V8 keeps a text with other characters in twice the memory. They are left in regular expressions and comments only. */
const toAscii = (/** @type {string} */ text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

for (const name of readdirSync(OUTPUT)) if (CHUNK.test(name)) rmSync(join(OUTPUT, name));
const { outputFiles, metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/main.ts'],
  outdir: OUTPUT,
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  // Not keepNames: it makes each creation of a closure slower.
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: externalPackages(),
  plugins: [ownUrls],
  // For packages in CommonJS.
  banner: { js: REQUIRE },
  legalComments: 'none',
  logLevel: 'warning',
});
for (const { path, text } of outputFiles) writeFileSync(path, toAscii(text));
writeFileSync(join(OUTPUT, 'LICENSES.txt'), licensesOf(metafile));
