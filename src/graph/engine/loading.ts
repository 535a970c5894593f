import DataLoader from 'dataloader';
import type { Relation } from '../../domain/kernel/relation.ts';

/** One key of a loader: what DataLoader's promise for it settles with, readable without another await. */
class Load<Value> {
  /** Never rejects; undefined once settled. */
  settled: Promise<void> | undefined;
  value: Value | undefined;
  error: unknown;
  /** Of the rows of the batch that the key is in; read when the batch is dispatched. */
  readonly relations: Set<Relation>;

  constructor(promise: Promise<Value>, relations: Set<Relation>) {
    this.relations = relations;
    this.settled = promise.then(
      (value) => {
        this.value = value;
        this.settled = undefined;
      },
      (error: unknown) => {
        this.error = error ?? new Error('Rejected without a reason.');
        this.settled = undefined;
      },
    );
  }
}

/**
 * The promised value of a key. A resolver may await it like any promise; the executor waits once for all values of a
 * field, and then reads them synchronously.
 */
export class Loading<Value> implements Promise<Value> {
  readonly [Symbol.toStringTag] = 'Loading';
  readonly #load: Load<unknown>;
  readonly #read: (loaded: unknown) => Value;
  /** The id of the value, where that is its key. */
  readonly id: string | undefined;

  constructor(load: Load<unknown>, read: (loaded: unknown) => Value, id?: string) {
    this.#load = load;
    this.#read = read;
    this.id = id;
  }

  /** Resolves, and never rejects, when the value or error is there; undefined from then on. */
  get settled(): Promise<void> | undefined {
    return this.#load.settled;
  }

  /** To be read once settled. Throws what the load was rejected with. */
  get value(): Value {
    const { value, error } = this.#load;
    if (error !== undefined) throw error;
    return this.#read(value);
  }

  /** Adds relations that the rows of its batch should bring along; without effect once the batch is dispatched. */
  include(relations: readonly Relation[]): void {
    for (const each of relations) this.#load.relations.add(each);
  }

  /** The result of `read` on the value; `read` may throw. */
  map<Other>(read: (value: Value) => Other): Loading<Other> {
    return new Loading(this.#load, (loaded) => read(this.#read(loaded)), this.id);
  }

  // biome-ignore lint/suspicious/noThenProperty: resolvers await it like a promise
  then<Ok = Value, Bad = never>(
    ok?: ((value: Value) => Ok | PromiseLike<Ok>) | null,
    bad?: ((reason: unknown) => Bad | PromiseLike<Bad>) | null,
  ): Promise<Ok | Bad> {
    return Promise.resolve(this.settled)
      .then(() => this.value)
      .then(ok, bad);
  }

  catch<Bad = never>(bad?: ((reason: unknown) => Bad | PromiseLike<Bad>) | null): Promise<Value | Bad> {
    return this.then(undefined, bad);
  }

  finally(last?: (() => void) | null): Promise<Value> {
    return this.then().finally(last);
  }
}

/** Finds a value for each key, in the order of the keys; an Error in place of a value rejects its key alone. */
type Find<Key, Value> = (
  keys: readonly Key[],
  relations: readonly Relation[],
) => Promise<readonly (Value | Error)[]>;

const asIs = <Value>(loaded: unknown): Value => loaded as Value;

/** A DataLoader with a memo of its own, since DataLoader's cache makes a promise for each hit, and no value can be read from it. */
export class Loader<Key, Value> {
  readonly #loads = new Map<string, Loading<Value>>();
  readonly #dataLoader: DataLoader<Key, Value>;
  readonly #keyIsId: boolean;
  /** Relations for the batch that is collecting keys. */
  #relations = new Set<Relation>();

  /** `keyIsId`: the keys are the ids of the values. */
  constructor(find: Find<Key, Value>, keyIsId = false) {
    this.#keyIsId = keyIsId;
    this.#dataLoader = new DataLoader<Key, Value>(
      async (keys) => {
        const relations = this.#relations;
        this.#relations = new Set();
        return find(keys, [...relations]);
      },
      { cache: false },
    );
  }

  /** Loads each key once a request. `name` tells it from the other keys of this loader. */
  load(name: string, key: Key): Loading<Value> {
    let loading = this.#loads.get(name);
    if (!loading) {
      const load = new Load(this.#dataLoader.load(key), this.#relations);
      loading = new Loading<Value>(load, asIs, this.#keyIsId ? name : undefined);
      this.#loads.set(name, loading);
    }
    return loading;
  }
}
