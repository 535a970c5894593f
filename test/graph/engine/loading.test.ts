import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { type Relation, relation } from '../../../src/domain/kernel/relation.ts';
import { Loader } from '../../../src/graph/engine/loading.ts';

/** A loader of upper-case letters that records its batches. */
function recording(find: (key: string) => string | Error = (key) => key.toUpperCase()) {
  const batches: string[][] = [];
  const relations: (readonly Relation[])[] = [];
  const loader = new Loader<string, string>(async (keys, wanted) => {
    batches.push([...keys]);
    relations.push(wanted);
    return keys.map(find);
  });
  return { batches, relations, load: (key: string) => loader.load(key, key) };
}

const failing = (key: string): string => {
  throw new Error(`no ${key}`);
};

describe('a loader', () => {
  it('loads the keys of one tick in one batch, each once', async () => {
    const { batches, load } = recording();
    const values = await Promise.all(['a', 'b', 'a'].map(load));
    expect(values).toEqual(['A', 'B', 'A']);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('batches a key that is requested after an already settled promise', async () => {
    const { batches, load } = recording();
    const later = async () => {
      await null;
      await Promise.resolve();
      return load('b');
    };
    expect(await Promise.all([load('a'), later()])).toEqual(['A', 'B']);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('does not load a key again, and its value can then be read without waiting', async () => {
    const { batches, load } = recording();
    await load('a');
    const again = load('a');
    expect(again.settled).toBeUndefined();
    expect(again.value).toBe('A');
    expect(await Promise.all([load('a'), load('b')])).toEqual(['A', 'B']);
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('rejects every key of a failed batch, and continues with the next batch', async () => {
    let broken = true;
    const { load } = recording((key) => (broken ? failing(key) : key));
    const settled = await Promise.allSettled([load('a'), load('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(load('a')).rejects.toThrow('no a');
    broken = false;
    expect(await load('c')).toBe('c');
  });

  it('rejects a single key of a batch', async () => {
    const { load } = recording((key) => (key === 'b' ? new Error('no b') : key));
    const [a, b] = await Promise.allSettled([load('a'), load('b')]);
    expect([a, b]).toMatchObject([{ value: 'a' }, { reason: { message: 'no b' } }]);
  });

  it('leaves no rejection unhandled when a failed key is not awaited', async () => {
    const { load } = recording(failing);
    const loading = load('a');
    await loading.settled;
    expect(() => loading.value).toThrow('no a');
  });

  it('maps a value, and rejects with the error of the mapping', async () => {
    const { load } = recording();
    expect(await load('a').map((value) => value.length)).toBe(1);
    await expect(load('a').map(failing)).rejects.toThrow('no A');
    const mapped = load('a').map(failing);
    expect(() => mapped.value).toThrow('no A');
  });

  it('passes the relations of a batch to that batch only', async () => {
    const { relations, load } = recording();
    const folder = relation('folder', () => sql.empty);
    const first = load('a');
    load('b').include([folder]);
    first.include([folder]);
    await first;
    first.include([folder]);
    await load('c');
    expect(relations).toEqual([[folder], []]);
  });
});
