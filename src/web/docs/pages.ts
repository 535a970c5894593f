import { readFileSync } from 'node:fs';
import { StaticFiles } from '../ui/static-files.ts';

/** A rendered page of docs/. */
export interface DocsPage {
  /** The name of its file, without `.md`. */
  slug: string;
  title: string;
  html: string;
  /** Headings of the second level. */
  headings: { id: string; text: string }[];
}

interface Docs {
  /** The navigation, with slugs. */
  groups: { title: string; pages: string[] }[];
  pages: DocsPage[];
}

const FOLDER = new URL('../../generated/assets/docs/', import.meta.url);

const textOf = (url: URL): string => readFileSync(url, 'utf8');

let loaded: { docs: Docs; files: StaticFiles } | undefined;

/** The pages, and the files of their search; read at the first request. */
export function docsPages(): { docs: Docs; files: StaticFiles } {
  loaded ??= {
    docs: JSON.parse(textOf(new URL('pages.json', FOLDER))),
    files: new StaticFiles({
      'search.json': textOf(new URL('search.json', FOLDER)),
      'search.js': textOf(new URL('./search.js', import.meta.url)),
    }),
  };
  return loaded;
}

/** The bytes of a picture; undefined if there is none of this name. */
export function docsPicture(name: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+\.webp$/.test(name)) return undefined;
  try {
    return Uint8Array.from(readFileSync(new URL(`pictures/${name}`, FOLDER)));
  } catch {
    return undefined;
  }
}
