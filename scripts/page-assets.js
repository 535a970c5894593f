// A step of `npm run generate`: puts what browsers load from packages into src/generated/assets. The build copies that folder, so
// that the packages are needed for development only. Does nothing when neither the packages nor the sources have changed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import sharp from 'sharp';
import { ICON_SVG } from '../src/web/ui/mark.js';
import { renderDocs } from './docs-pages.js';
import { fingerprint, ROOT } from './fingerprint.js';
import { licenseOf, licensesOf } from './licenses.js';

const FOLDER = join(ROOT, 'src/generated/assets');
const MARKER = join(FOLDER, '.state');
const DOCS_MARKER = join(FOLDER, 'docs/.state');
const DOCS_SOURCES = ['docs', 'scripts/docs-pages.js', 'package-lock.json'];
const ICON_SIZE = 32;
const SOURCES = [
  'src/web/graphiql/browser',
  'src/web/console/upload/browser',
  'packages/client/src',
  'src/web/ui/mark.js',
  'scripts/licenses.js',
  'scripts/page-assets.js',
  'package-lock.json',
];
const SWAGGER_UI = ['swagger-ui-bundle.js', 'swagger-ui.css'];
const GRAPHIQL = {
  graphiql: 'src/web/graphiql/browser/app.js',
  'editor.worker': 'node_modules/monaco-editor/esm/vs/editor/editor.worker.js',
  'json.worker': 'node_modules/monaco-editor/esm/vs/language/json/json.worker.js',
  'graphql.worker': 'node_modules/monaco-graphql/esm/graphql.worker.js',
};

/** Source maps stay in the package. */
const withoutSourceMap = (/** @type {string} */ text) =>
  text.replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n');

function copySwaggerUi() {
  mkdirSync(join(FOLDER, 'swagger-ui'), { recursive: true });
  for (const name of SWAGGER_UI) {
    const text = readFileSync(join(ROOT, 'node_modules/swagger-ui-dist', name), 'utf8');
    writeFileSync(join(FOLDER, 'swagger-ui', name), withoutSourceMap(text));
  }
}

/** Names of functions stay: GraphiQL makes the labels of its icons from them. */
const bundleGraphiql = () =>
  build({
    absWorkingDir: ROOT,
    entryPoints: GRAPHIQL,
    outdir: join(FOLDER, 'graphiql'),
    bundle: true,
    minify: true,
    keepNames: true,
    metafile: true,
    format: 'iife',
    target: 'es2022',
    loader: { '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
  });

/** The uploads of the console, with the client package. */
const bundleUpload = () =>
  build({
    absWorkingDir: ROOT,
    entryPoints: { upload: 'src/web/console/upload/browser/app.js' },
    outdir: join(FOLDER, 'console'),
    alias: { '@docgraph/client': './packages/client/src/index.ts' },
    bundle: true,
    metafile: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  });

/** The page that checks sealed files, with the code of the check. */
const bundleVerify = () =>
  build({
    absWorkingDir: ROOT,
    entryPoints: { verify: 'src/web/verify/browser/app.js' },
    outdir: join(FOLDER, 'verify'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  });

/** An ICO file with one PNG: a header of 6 bytes and an entry of 16. */
async function drawIcon() {
  const png = await sharp(Buffer.from(ICON_SVG), { density: 300 }).resize(ICON_SIZE).png().toBuffer();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICON_SIZE, 6);
  head.writeUInt8(ICON_SIZE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  writeFileSync(join(FOLDER, 'favicon.ico'), Buffer.concat([head, png]));
}

const isCurrent = (/** @type {string} */ marker, /** @type {string} */ state) =>
  existsSync(marker) && readFileSync(marker, 'utf8') === state;

const state = fingerprint(SOURCES, '');
if (!isCurrent(MARKER, state)) {
  rmSync(FOLDER, { recursive: true, force: true });
  copySwaggerUi();
  const { metafile: graphiql } = await bundleGraphiql();
  const { metafile: upload } = await bundleUpload();
  const licenses = [licenseOf('node_modules/swagger-ui-dist'), licensesOf(graphiql, upload)];
  writeFileSync(join(FOLDER, 'LICENSES.txt'), licenses.join('\n'));
  await drawIcon();
  writeFileSync(MARKER, state);
}

await bundleVerify();

const docsState = fingerprint(DOCS_SOURCES, '');
if (!isCurrent(DOCS_MARKER, docsState)) {
  rmSync(join(FOLDER, 'docs'), { recursive: true, force: true });
  renderDocs(join(FOLDER, 'docs'));
  writeFileSync(DOCS_MARKER, docsState);
}
