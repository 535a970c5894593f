import { acceptedCoding, type Coding, compress } from '../../lib/content-coding.ts';
import { memoize } from '../../lib/memoize.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A static text: encoded once for all responses, and compressed once for each coding that clients accept. */
export class CompressedText {
  readonly #bytes: Bytes;
  readonly #headers: Record<string, string>;
  readonly #compressed = new Map<Coding, Promise<Bytes>>();

  constructor(text: string, headers: Record<string, string>) {
    this.#bytes = new TextEncoder().encode(text);
    this.#headers = { ...headers, Vary: 'Accept-Encoding' };
  }

  async respond(acceptEncoding: string | null | undefined): Promise<Response> {
    const coding = acceptedCoding(acceptEncoding, ['br', 'gzip']);
    if (!coding) return new Response(this.#bytes, { headers: this.#headers });
    const bytes = memoize(this.#compressed, coding, () => compress(this.#bytes, coding));
    return new Response(await bytes, { headers: { ...this.#headers, 'Content-Encoding': coding } });
  }
}
