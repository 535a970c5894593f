import { describe, expect, it } from 'vitest';
import { Loader } from '../../../src/graph/engine/loading.ts';

function counting(answer: (key: string) => string = (key) => key.toUpperCase()) {
  const asked: string[][] = [];
  const loader = new Loader(async (keys) => {
    asked.push([...keys]);
    return new Map(keys.map((key) => [key, answer(key)]));
  });
  return { asked, loader };
}

const failing = (key: string): string => {
  throw new Error(`no ${key}`);
};

describe('a loader', () => {
  it('asks once for all that is wanted together, and for each of it once', async () => {
    const { asked, loader } = counting();
    const found = await Promise.all(['a', 'b', 'a'].map((key) => loader.load(key)));
    expect(found).toEqual(['A', 'B', 'A']);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('takes along what is wanted by who waited for something that was there', async () => {
    const { asked, loader } = counting();
    const later = async () => {
      await null;
      await Promise.resolve();
      return loader.load('b');
    };
    expect(await Promise.all([loader.load('a'), later()])).toEqual(['A', 'B']);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('does not ask again for what it asked for before', async () => {
    const { asked, loader } = counting();
    await loader.load('a');
    const again = loader.load('a');
    expect(again.coming).toBeUndefined();
    expect(again.value).toBe('A');
    expect(await Promise.all([loader.load('a'), loader.load('b')])).toEqual(['A', 'B']);
    expect(asked).toEqual([['a'], ['b']]);
  });

  it('tells everyone of a batch that it failed, and goes on with the next', async () => {
    let broken = true;
    const { loader } = counting((key) => (broken ? failing(key) : key));
    const settled = await Promise.allSettled([loader.load('a'), loader.load('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(loader.load('a')).rejects.toThrow('no a');
    broken = false;
    expect(await loader.load('c')).toBe('c');
  });

  it('gives what is made of a value, and the error of who makes it', async () => {
    const { loader } = counting();
    expect(await loader.load('a').map((value) => value.length)).toBe(1);
    await expect(loader.load('a').map(failing)).rejects.toThrow('no A');
    const made = loader.load('a').map(failing);
    expect(() => made.value).toThrow('no A');
  });
});
