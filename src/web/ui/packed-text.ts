import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

type Bytes = Uint8Array<ArrayBuffer>;

/** A static text: encoded once for all responses, and compressed with gzip for clients that accept it. */
export class CompressedText {
  readonly #bytes: Bytes;
  readonly #headers: Record<string, string>;
  #packed: Promise<Bytes> | undefined;

  constructor(text: string, headers: Record<string, string>) {
    this.#bytes = new TextEncoder().encode(text);
    this.#headers = { ...headers, Vary: 'Accept-Encoding' };
  }

  async respond(acceptEncoding: string | null | undefined): Promise<Response> {
    if (!/\bgzip\b/.test(acceptEncoding ?? '')) return new Response(this.#bytes, { headers: this.#headers });
    this.#packed ??= compress(this.#bytes).then((bytes) => Uint8Array.from(bytes));
    const headers = { ...this.#headers, 'Content-Encoding': 'gzip' };
    return new Response(await this.#packed, { headers });
  }
}
