import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { claimText } from '../../src/domain/file-text/text-claim.ts';
import type { JobContext } from '../../src/jobs/context.ts';
import { doNext, work } from '../../src/jobs/work.ts';
import { strayCloses, workbookOfStrings } from '../files/content/hostile-files.ts';
import { scannedPdf, writtenPicture } from '../files/content/picture-source.ts';
import { dropJobs, jobContext, runJobs } from '../support/jobs.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

beforeEach(dropJobs);

/** Of what recognizes several pages, on a machine that does other things as well. */
const LONG = 300_000;

const RETRY =
  'mutation ($input: RetryTextsInput!) { retryTexts(input: $input) { documents { textStatus } } }';

type World = Awaited<ReturnType<typeof newWorld>>;
type Files = { name: string; content: string | Uint8Array }[];

const confirm = async ({ owner, project }: World, files: Files) =>
  newDocuments(await owner.context(), project.id, files);

const texts = ({ db, organization }: World) =>
  db.prisma.blob.findMany({
    where: { organizationId: organization.id },
    orderBy: { id: 'asc' },
    select: { textStatus: true, textError: true, textAttempts: true, textLeased: true },
  });

/** The text of the one file after so many attempts. One that got too little of the machine is no attempt, and begins again. */
async function textsAfter(world: World, attempts: number) {
  for (;;) {
    await world.db.prisma.blob.updateMany({
      where: { organizationId: world.organization.id, textStatus: 'PENDING' },
      data: { textNextAt: new Date(0) },
    });
    await runJobs();
    const after = await texts(world);
    if (after.every(({ textAttempts }) => textAttempts >= attempts)) return after;
  }
}

/** Does the jobs of a queue one after the other; gives the organizations in the order in which their files ended. */
async function orderOf(ctx: JobContext, queue: 'text' | 'recognize', worlds: Record<string, World>) {
  const order: string[] = [];
  const left = async () => {
    const counts = await ctx.db.query<{ organizationId: string; count: number }>(sql`
      SELECT organization_id, count(*)::int AS count FROM blobs WHERE text_status = 'PENDING' GROUP BY 1`);
    return new Map(counts.map(({ organizationId, count }) => [organizationId, count]));
  };
  for (let before = await left(); await doNext(ctx, queue); ) {
    const after = await left();
    for (const [name, { organization }] of Object.entries(worlds))
      if ((after.get(organization.id) ?? 0) < (before.get(organization.id) ?? 0)) order.push(name);
    before = after;
  }
  return order;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A context in which the files of a world are not given to their readers before `release`. */
async function withheld({ db, organization }: World) {
  const ctx = await jobContext(db);
  const blobs = await db.prisma.blob.findMany({ where: { organizationId: organization.id } });
  const keys = new Set(blobs.map(({ id }) => id));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { store } = ctx.storage;
  const read: typeof store.read = async (key, range) => {
    if (keys.has(key)) await released;
    return store.read(key, range);
  };
  return { ctx: { ...ctx, storage: { ...ctx.storage, store: { ...store, read } } }, release };
}

describe('a text that cannot be read', () => {
  it('fails with a reason after the server ended each time it was read, and can be read again on demand', async () => {
    const world = await newWorld();
    const [document] = await confirm(world, [{ name: 'a.txt', content: 'zephyr' }]);
    for (let death = 0; death < 4; death++) {
      await claimText(world.db, 'READ');
      await world.db.prisma.blob.updateMany({
        where: { textStatus: 'PENDING' },
        data: { textNextAt: new Date(0) },
      });
    }
    await runJobs();
    const ended = await texts(world);
    await world.owner.graph(RETRY, { input: { documentIds: [document?.id] } });
    await runJobs();
    expect(ended).toMatchObject([
      { textStatus: 'FAILED', textError: expect.stringContaining('the server ended'), textLeased: false },
    ]);
    expect(await texts(world)).toMatchObject([{ textStatus: 'READY', textAttempts: 1, textError: null }]);
  });

  it('counts an unexpected error as an attempt, and the job continues with the next text', async () => {
    const world = await newWorld();
    await confirm(world, [
      { name: 'a.txt', content: 'first' },
      { name: 'b.txt', content: 'second' },
    ]);
    const ctx = await jobContext(world.db);
    const [broken] = await world.db.prisma.blob.findMany({
      where: { organizationId: world.organization.id },
      orderBy: { id: 'asc' },
    });
    const { store } = ctx.storage;
    const read: typeof store.read = (key, range) => {
      if (key === broken?.id) throw new RangeError('Maximum call stack size exceeded');
      return store.read(key, range);
    };
    const faulty = { ...ctx, storage: { ...ctx.storage, store: { ...store, read } } };
    while (await doNext(faulty, 'text'));
    expect(await texts(world)).toMatchObject([
      {
        textStatus: 'PENDING',
        textAttempts: 1,
        textError: expect.stringContaining('server failed'),
        textLeased: false,
      },
      { textStatus: 'READY' },
    ]);
  });

  it('fails at once with a reason for a spreadsheet of five million strings', async () => {
    const world = await newWorld();
    await confirm(world, [{ name: 'a.xlsx', content: workbookOfStrings('<si/>', 5_000_000) }]);
    await runJobs();
    expect(await texts(world)).toMatchObject([
      {
        textStatus: 'FAILED',
        textError: expect.stringContaining('2,000,000 shared strings'),
        textAttempts: 1,
      },
    ]);
  });

  it(
    'is tried once more where it ran out of time, and no more',
    async () => {
      const world = await newWorld();
      await confirm(world, [{ name: 'a.docx', content: strayCloses(900, 25_000_000) }]);
      const first = await textsAfter(world, 1);
      expect(first).toMatchObject([
        { textStatus: 'PENDING', textError: expect.stringContaining('too long') },
      ]);
      expect(await textsAfter(world, 2)).toMatchObject([{ textStatus: 'FAILED', textAttempts: 2 }]);
    },
    LONG,
  );
});

describe('the texts of two organizations', () => {
  it('are read in turn, regardless of the number of files', async () => {
    const many = await newWorld();
    const few = await newWorld(many.db);
    await confirm(
      many,
      Array.from({ length: 12 }, (_, n) => ({ name: `${n}.txt`, content: `many ${n}` })),
    );
    await confirm(few, [{ name: 'a.txt', content: 'few' }]);
    const order = await orderOf(await jobContext(many.db), 'text', { many, few });
    expect(order.indexOf('few')).toBeLessThanOrEqual(1);
    expect(order).toHaveLength(13);
  });

  it('are read beside each other: one that is slow keeps no other waiting', async () => {
    const slow = await newWorld();
    const quick = await newWorld(slow.db);
    await confirm(slow, [
      { name: '1.txt', content: 'slow 1' },
      { name: '2.txt', content: 'slow 2' },
    ]);
    const { ctx, release } = await withheld(slow);
    const working = work(ctx);
    while (!(await texts(slow)).some(({ textLeased }) => textLeased)) await pause();
    await confirm(quick, [{ name: 'a.txt', content: 'quick' }]);
    while ((await texts(quick))[0]?.textStatus === 'PENDING') await pause();
    const meanwhile = await texts(slow);
    release();
    await working.stop();
    expect(await texts(quick)).toMatchObject([{ textStatus: 'READY' }]);
    expect(meanwhile.some(({ textLeased, textError }) => textLeased && !textError)).toBe(true);
  });

  it(
    'are recognized some pages at a time: a picture does not wait for a whole scan',
    async () => {
      const page = await writtenPicture('Larch');
      const scan = await newWorld();
      const picture = await newWorld(scan.db);
      await confirm(scan, [
        { name: 'scan.pdf', content: await scannedPdf(...Array.from({ length: 5 }, () => page)) },
      ]);
      await confirm(picture, [{ name: 'a.png', content: page }]);
      const ctx = { ...(await jobContext(scan.db)), recognition: { languages: ['eng'] } };
      while (await doNext(ctx, 'text'));
      expect(await orderOf(ctx, 'recognize', { scan, picture })).toEqual(['picture', 'scan']);
      expect(await texts(scan)).toMatchObject([{ textStatus: 'READY', textAttempts: 1 }]);
      expect(await scan.db.query(sql`SELECT page FROM recognized_pages`)).toEqual([]);
    },
    LONG,
  );
});
