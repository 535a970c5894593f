import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

type Bytes = Uint8Array<ArrayBuffer>;

/** A text that is the same for everyone: its bytes are made once for all answers, packed where the client unpacks. */
export class PackedText {
  readonly #bytes: Bytes;
  readonly #headers: Record<string, string>;
  #packed: Promise<Bytes> | undefined;

  constructor(text: string, headers: Record<string, string>) {
    this.#bytes = new TextEncoder().encode(text);
    this.#headers = { ...headers, Vary: 'Accept-Encoding' };
  }

  async answer(acceptEncoding: string | null | undefined): Promise<Response> {
    if (!/\bgzip\b/.test(acceptEncoding ?? '')) return new Response(this.#bytes, { headers: this.#headers });
    this.#packed ??= compress(this.#bytes).then((bytes) => Uint8Array.from(bytes));
    const headers = { ...this.#headers, 'Content-Encoding': 'gzip' };
    return new Response(await this.#packed, { headers });
  }
}
