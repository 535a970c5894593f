import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A script for browsers. */
export interface ScriptFile {
  /** It contains a hash of the content, so that browsers may cache it for good. */
  path: string;
  response: () => Response;
}

/** Reads a script that pages of `folder` load: its file, after those of the modules whose exports it uses. */
export function scriptFile(file: URL, folder: string, modules: readonly URL[] = []): ScriptFile {
  const text = [...modules, file]
    .map((each) => readFileSync(each, 'utf8').replace(/^export /gm, ''))
    .join('\n');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return { path: `${folder}/${version}.js`, response: () => new Response(text, { headers }) };
}
