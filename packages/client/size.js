// Prints the size of the package in bytes: bundled and minified, and that compressed with gzip.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** @param {string} [entry] */
export async function sizeOf(entry = 'src/index.ts') {
  const bundle = await rolldown({ input: fileURLToPath(new URL(entry, import.meta.url)) });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const { code } = output[0];
  return { code, minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { minified, gzipped } = await sizeOf();
  console.log(`@docgraph/client: ${minified} bytes minified, ${gzipped} with gzip`);
}
