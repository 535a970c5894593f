import { describe, expect, it } from 'vitest';
import { readAll } from '../../files/store/objects.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

async function scene() {
  const { db, owner, project } = await newWorld();
  const ctx = await owner.context();
  const content = `bytes of ${project.id}`;
  const add = async (name: string) => {
    const [document] = await newDocuments(ctx, project.id, [{ name, content }]);
    const revision = await db.prisma.revision.findFirstOrThrow({ where: { documentId: document?.id } });
    return revision.blobId;
  };
  return { content, add, store: ctx.storage.store };
}

describe('an upload of bytes that the organization has already', () => {
  it('stores them again where the store has lost them', async () => {
    const { content, add, store } = await scene();
    const first = await add('first.txt');
    await store.remove(first);
    expect(await add('second.txt')).toBe(first);
    expect(String(await readAll(store, first))).toBe(content);
  });

  it('stores them again where only a part is left', async () => {
    const { content, add, store } = await scene();
    const first = await add('first.txt');
    await store.remove(first);
    await store.append(
      first,
      0,
      (async function* () {
        yield Buffer.from('by');
      })(),
    );
    expect(await add('second.txt')).toBe(first);
    expect(String(await readAll(store, first))).toBe(content);
  });

  it('stores them once where several arrive together; a call that another one is ahead of is to be repeated', async () => {
    const { content, add, store } = await scene();
    const first = await add('first.txt');
    await store.remove(first);
    const results = await Promise.allSettled(['a.txt', 'b.txt', 'c.txt'].map(add));
    const refused = results.flatMap((each) => (each.status === 'rejected' ? each.reason.code : []));
    expect(refused.filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    expect(refused.length).toBeLessThan(3);
    expect(String(await readAll(store, first))).toBe(content);
  });
});
