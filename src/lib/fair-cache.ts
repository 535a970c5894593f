interface Share<Value> {
  /** Least recently used first. */
  entries: Map<string, { value: Value; size: number }>;
  size: number;
}

/**
 * A cache of bounded size that keys (organizations) share. It evicts the least recently used entry of the key with the
 * largest share, so that one key never displaces the others. Sizes in bytes.
 */
export class FairCache<Value> {
  readonly #capacity: number;
  readonly #shares = new Map<string, Share<Value>>();
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, name: string): Value | undefined {
    const entries = this.#shares.get(key)?.entries;
    const entry = entries?.get(name);
    if (!entries || !entry) return undefined;
    entries.delete(name);
    entries.set(name, entry);
    return entry.value;
  }

  set(key: string, name: string, value: Value, size: number): void {
    this.delete(key, name);
    const share = this.#shares.get(key) ?? { entries: new Map(), size: 0 };
    this.#shares.set(key, share);
    share.entries.set(name, { value, size });
    share.size += size;
    this.#size += size;
    while (this.#size > this.#capacity) this.#evict();
  }

  delete(key: string, name: string): void {
    const share = this.#shares.get(key);
    const entry = share?.entries.get(name);
    if (!share || !entry) return;
    share.entries.delete(name);
    share.size -= entry.size;
    this.#size -= entry.size;
    if (share.entries.size === 0) this.#shares.delete(key);
  }

  #evict(): void {
    let largest: [string, Share<Value>] | undefined;
    for (const each of this.#shares) if (!largest || each[1].size > largest[1].size) largest = each;
    const [oldest] = largest?.[1].entries.keys() ?? [];
    if (largest && oldest !== undefined) this.delete(largest[0], oldest);
  }
}
