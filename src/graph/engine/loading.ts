import type { Relation } from '../../domain/kernel/relation.ts';

/** What is asked for together, and answered together. */
interface Batch<Value> {
  keys: string[];
  /** What is wanted of each row. */
  relations: Set<Relation>;
  /** Never rejects. */
  answered: Promise<void>;
  values: Map<string, Value> | undefined;
  error: unknown;
}

/**
 * A value that comes with the answer to a whole batch. For who asks one by one it is a promise like any other; the
 * executor waits once for all values of a batch, and takes them out as they are.
 */
export class Loading<Value> implements Promise<Value> {
  readonly [Symbol.toStringTag] = 'Loading';
  readonly #batch: Batch<unknown>;
  readonly #read: (values: Map<string, unknown>) => Value;
  /** The id that it will have, where that is what it is found by. */
  readonly id: string | undefined;

  constructor(batch: Batch<unknown>, read: (values: Map<string, unknown>) => Value, id?: string) {
    this.#batch = batch;
    this.#read = read;
    this.id = id;
  }

  /** Undefined once it is there. */
  get coming(): Promise<void> | undefined {
    const { values, error, answered } = this.#batch;
    return values === undefined && error === undefined ? answered : undefined;
  }

  /** Once nothing is coming any more. Throws what the batch failed with. */
  get value(): Value {
    const { values, error } = this.#batch;
    if (!values) throw error;
    return this.#read(values);
  }

  /** Says what will be asked of the rows that come, which may bring it along if they have not been asked for yet. */
  include(relations: readonly Relation[]): void {
    for (const each of relations) this.#batch.relations.add(each);
  }

  /** What is made of the value, when it is there: `make` may throw. */
  map<Other>(make: (value: Value) => Other): Loading<Other> {
    return new Loading(this.#batch, (values) => make(this.#read(values)), this.id);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise to who awaits it
  then<Ok = Value, Bad = never>(
    ok?: ((value: Value) => Ok | PromiseLike<Ok>) | null,
    bad?: ((reason: unknown) => Bad | PromiseLike<Bad>) | null,
  ): Promise<Ok | Bad> {
    return this.#batch.answered.then(() => this.value).then(ok, bad);
  }

  catch<Bad = never>(bad?: ((reason: unknown) => Bad | PromiseLike<Bad>) | null): Promise<Value | Bad> {
    return this.then(undefined, bad);
  }

  finally(last?: (() => void) | null): Promise<Value> {
    return this.then().finally(last);
  }
}

type Answer<Value> = (keys: readonly string[], relations: readonly Relation[]) => Promise<Map<string, Value>>;

/** Loads each key once: those that are asked for before the others' answers are waited for go together. */
export class Loader<Value> {
  readonly #loads = new Map<string, Loading<Value>>();
  readonly #answer: Answer<Value>;
  readonly #byId: boolean;
  #open: Batch<Value> | undefined;

  /** `byId`: the keys are the ids of the values. */
  constructor(answer: Answer<Value>, byId = false) {
    this.#answer = answer;
    this.#byId = byId;
  }

  load(key: string): Loading<Value> {
    return this.#loads.get(key) ?? this.#loadNew(key);
  }

  #loadNew(key: string): Loading<Value> {
    this.#open ??= this.#begin();
    this.#open.keys.push(key);
    const loading = new Loading(
      this.#open,
      (values) => values.get(key) as Value,
      this.#byId ? key : undefined,
    );
    this.#loads.set(key, loading);
    return loading;
  }

  #begin(): Batch<Value> {
    const batch: Batch<Value> = {
      keys: [],
      relations: new Set(),
      answered: Promise.resolve(),
      values: undefined,
      error: undefined,
    };
    batch.answered = afterAllThatIsReady().then(async () => {
      this.#open = undefined;
      try {
        batch.values = await this.#answer(batch.keys, [...batch.relations]);
      } catch (error) {
        batch.error = error ?? new Error('Failed for no reason.');
      }
    });
    return batch;
  }
}

/** Whatever promises are settled have run what waited for them: all that can be asked for now has been. */
const afterAllThatIsReady = () =>
  new Promise<void>((resolve) => {
    Promise.resolve().then(() => process.nextTick(resolve));
  });
