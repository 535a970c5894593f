export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  scope: string;
}

/** Where tokens are kept. */
export interface TokenStore {
  get(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Without a value: removes them. */
  set(tokens?: Tokens): void | Promise<void>;
}

/** The part of `sessionStorage` and `localStorage` that is used. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** In memory: scripts of other pages, and of a later visit, cannot read them. They end with the page. */
export function memoryTokens(): TokenStore {
  let stored: Tokens | undefined;
  return {
    get: () => stored,
    set: (tokens) => {
      stored = tokens;
    },
  };
}

/** In a storage of the browser: the sign-in outlasts the page, and any script of its origin can read the tokens. */
export const storedTokens = (storage: TextStorage, key = 'docgraph.tokens'): TokenStore => ({
  get: () => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined,
  set: (tokens) => (tokens ? storage.setItem(key, JSON.stringify(tokens)) : storage.removeItem(key)),
});

/** Text under keys in memory, where there is no storage of a browser. */
export function memoryStorage(): TextStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
}
