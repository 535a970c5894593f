/** How many rows of each kind an erasure has changed or deleted so far. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(kind: string, count: number): void {
    this.#counts.set(kind, this.of(kind) + count);
  }

  of(kind: string): number {
    return this.#counts.get(kind) ?? 0;
  }
}
