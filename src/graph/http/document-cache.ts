import type { DocumentNode } from 'graphql';

/** Bounds of the cache, in characters: a parsed document takes some hundred bytes for each character of its text. */
const CACHE_CHARACTERS = 500_000;
export const MAX_TEXT_LENGTH = 10_000;

/** Valid documents by their text; the least recently used is evicted. */
export class DocumentCache {
  readonly #byText = new Map<string, DocumentNode>();
  #characters = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.#byText.get(text);
    if (document) this.#put(text, document);
    return document;
  }

  add(document: DocumentNode): void {
    const text = document.loc?.source.body;
    if (text === undefined || text.length > MAX_TEXT_LENGTH) return;
    this.#put(text, document);
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= CACHE_CHARACTERS) break;
      this.#delete(oldest);
    }
  }

  #put(text: string, document: DocumentNode): void {
    this.#delete(text);
    this.#byText.set(text, document);
    this.#characters += text.length;
  }

  #delete(text: string): void {
    if (this.#byText.delete(text)) this.#characters -= text.length;
  }
}
