import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { CompressedText } from './compressed-text.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
};

/** Scripts and style sheets of a page, under URLs that change with their content: browsers may cache them for good. */
export class StaticFiles {
  /** A hash of all files, for their URLs. */
  readonly version: string;
  readonly #files: Map<string, CompressedText>;

  constructor(texts: Record<string, string>) {
    const hash = createHash('sha256');
    for (const text of Object.values(texts)) hash.update(text);
    this.version = hash.digest('hex').slice(0, 16);
    this.#files = new Map(Object.entries(texts).map(([name, text]) => [name, staticText(name, text)]));
  }

  /** The response with a file; undefined if there is none of this name and version. */
  respond(
    version: string,
    name: string,
    acceptEncoding: string | null | undefined,
  ): Promise<Response> | undefined {
    return version === this.version ? this.#files.get(name)?.respond(acceptEncoding) : undefined;
  }
}

const staticText = (name: string, text: string): CompressedText =>
  new CompressedText(text, {
    'Content-Type': TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
