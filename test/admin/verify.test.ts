import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import { newId } from '../../src/lib/id.ts';
import { newDocuments } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

/** What the command prints while it runs. */
let printed: string[];
beforeEach(() => {
  printed = [];
  const print = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line));
  return () => print.mockRestore();
});

/** An organization with three files of 40 bytes, and its store. */
async function scene() {
  const { db, owner, organization, project } = await newWorld();
  const { storage, ...ctx } = await owner.context();
  const contents = [0, 1, 2].map(() => randomBytes(20).toString('hex'));
  const files = contents.map((content) => ({ name: `${content}.txt`, content }));
  await newDocuments({ storage, ...ctx }, project.id, files);
  const rows = await db.prisma.blob.findMany({
    where: { organizationId: organization.id },
    orderBy: { id: 'asc' },
  });
  const site = { db, storage, limits: config.limits };
  const verify = (values: Record<string, string>) => COMMANDS.verify?.run(site, values) as Promise<string>;
  const { store } = storage;
  return { store, organization: organization.id, blobs: rows.map(({ id }) => id), verify };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

describe('admin verify --files', () => {
  it('returns the number of files and their bytes', async () => {
    const { organization, verify } = await scene();
    expect(await verify({ organization, files: 'true' })).toBe('3 files with 120 bytes, all as stored');
    expect(printed).toEqual([expect.stringContaining('all in order')]);
  });

  it('fails when a file is missing, which verify alone does not see', async () => {
    const { store, organization, blobs, verify } = await scene();
    await store.remove(blobs[0] as string);
    await expect(verify({ organization })).resolves.toContain('all in order');
    await expect(verify({ organization, files: 'true' })).rejects.toThrow(
      '1 of 3 files with 120 bytes are not as stored',
    );
    expect(printed).toContain(`${blobs[0]} of ${organization}: the file is missing`);
  });

  it('reads the contents with --hashes, and only then', async () => {
    const { store, organization, blobs, verify } = await scene();
    const changed = blobs[1] as string;
    await store.remove(changed);
    await store.append(changed, 0, bytesOf('x'.repeat(40)));
    await store.finish(changed, 40);
    await expect(verify({ organization, files: 'true' })).resolves.toContain('all as stored');
    await expect(verify({ organization, hashes: 'true', rate: '10' })).rejects.toThrow('1 of 3 files');
  });

  it('lists surplus files of all organizations, and succeeds', async () => {
    const { store, verify } = await scene();
    const key = newId('Blob');
    await store.append(key, 0, bytesOf('text'));
    await store.finish(key, 4);
    // Other tests of this file leave missing files on purpose, so that only the search for surplus files counts here.
    const summary = await verify({ files: 'true', after: `surplus:blb_${'0'.repeat(26)}` });
    expect(summary).toContain('surplus files, which the next sweep deletes');
    expect(printed).toContainEqual(expect.stringMatching(`^${key}: surplus, 4 bytes of 20`));
  });

  it('prints where to continue when it is interrupted', async () => {
    const { store, organization, blobs, verify } = await scene();
    const stat = store.stat;
    onTestFinished(() => void Object.assign(store, { stat }));
    store.stat = async (key) => {
      process.emit('SIGINT');
      return stat(key);
    };
    const interrupted = verify({ organization, files: 'true', after: blobs[0] as string });
    await expect(interrupted).rejects.toThrow(`Interrupted. Continue with --after ${blobs[0]}`);
    store.stat = stat;
    const rest = await verify({ organization, files: 'true', after: blobs[0] as string });
    expect(rest).toBe('2 files with 80 bytes, all as stored');
  });

  it.each([
    [{ rate: '5', files: 'true' }, '--rate is for --hashes'],
    [{ rate: '0', hashes: 'true' }, '--rate: MiB a second'],
    [{ rate: 'fast', hashes: 'true' }, '--rate: MiB a second'],
    [{ after: 'blb_' }, '--after is for --files'],
    [{ after: 'doc_x', files: 'true' }, '--after: what an interrupted'],
  ])('refuses %j', async (values, message) => {
    const { verify } = await scene();
    await expect(verify(values)).rejects.toThrow(message);
    expect(printed).toEqual([]);
  });
});
