import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fingerprint.js';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/**
 * The licences of the packages whose files are in a bundle: these require that their text goes with every copy.
 *
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function licensesOf(...metafiles) {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  return [...folders].sort().map(licenseOf).join('\n');
}

/** @param {string} folder Of a package, below the root. */
export function licenseOf(folder) {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const texts = readdirSync(path).filter((file) => LICENSE.test(file));
  const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n');
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}
