import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DatabaseUnusable } from '../../src/db/database.ts';
import { FolderLocked, lockFolder } from '../../src/db/lock.ts';

const root = mkdtempSync(join(tmpdir(), 'docgraph-lock-'));
let folders = 0;
const newFolder = () => join(root, `data-${++folders}`);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Another process: takes the folder it is sent, gives it back when it is sent nothing. */
const OTHER = `
  import { lockFolder } from ${JSON.stringify(new URL('../../src/db/lock.ts', import.meta.url).href)};
  let release;
  process.on('message', async ({ folder }) => {
    try {
      if (folder) release = await lockFolder(folder);
      else await release?.();
      process.send({});
    } catch (error) {
      process.send({ refused: error.message, kind: error.constructor.name });
    }
  });
  process.send({});`;

interface Answer {
  refused?: string;
  kind?: string;
}

const others: ChildProcess[] = [];

async function startOther(): Promise<ChildProcess> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', OTHER];
  const other = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  others.push(other);
  await once(other, 'message');
  return other;
}

async function tell(other: ChildProcess, folder?: string): Promise<Answer> {
  const answer = once(other, 'message');
  other.send({ folder });
  return (await answer)[0];
}

async function kill(other: ChildProcess): Promise<void> {
  const exit = once(other, 'exit');
  other.kill('SIGKILL');
  await exit;
}

afterEach(async () => {
  const alive = others.splice(0).filter((other) => other.exitCode === null && other.signalCode === null);
  await Promise.all(alive.map(kill));
});

describe('lockFolder', () => {
  it('creates a missing folder with access for its owner only, and a lock that names the process', async () => {
    const folder = join(newFolder(), 'deep');
    const release = await lockFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'lock')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(`${process.pid}\n`);
    await release();
  });

  it('refuses a second process every time, and names the first', async () => {
    const folder = newFolder();
    const release = await lockFolder(folder);
    const other = await startOther();
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await tell(other, folder)).toEqual({
        kind: 'FolderLocked',
        refused: `The data folder ${folder} is in use by another process (pid ${process.pid}). Stop it first, or set DATA_DIR to another folder.`,
      });
    }
    await release();
    expect(await tell(other, folder)).toEqual({});
  });

  it('refuses a second call in the same process', async () => {
    const folder = newFolder();
    const release = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderLocked);
    await release();
    await (await lockFolder(folder))();
  });

  it('releases the folder once, and never the lock of a later holder', async () => {
    const folder = newFolder();
    const release = await lockFolder(folder);
    await release();
    const second = await lockFolder(folder);
    await release();
    await expect(lockFolder(folder)).rejects.toThrow(FolderLocked);
    await second();
  });

  it('gives the folder to the next process as soon as its holder is killed', async () => {
    const folder = newFolder();
    for (let round = 0; round < 3; round++) {
      const holder = await startOther();
      expect(await tell(holder, folder)).toEqual({});
      await expect(lockFolder(folder)).rejects.toThrow(`(pid ${holder.pid})`);
      await kill(holder);
      const release = await lockFolder(folder);
      await release();
    }
  });

  it('is not kept by the children of its holder', async () => {
    const folder = newFolder();
    const release = await lockFolder(folder);
    const child = spawn('sleep', ['30'], { stdio: 'ignore' });
    await once(child, 'spawn');
    await release();
    await (await lockFolder(folder))();
    child.kill('SIGKILL');
  });

  it('lets exactly one of two processes win that start at the same time', async () => {
    const pair = await Promise.all([startOther(), startOther()]);
    for (let round = 0; round < 30; round++) {
      const folder = newFolder();
      const answers = await Promise.all(pair.map((other) => tell(other, folder)));
      expect(answers.filter(({ refused }) => refused === undefined)).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === 'FolderLocked')).toHaveLength(1);
      await Promise.all(pair.map((other) => tell(other)));
    }
  });

  it('reports in one line why a folder cannot be used', async () => {
    const file = newFolder();
    writeFileSync(file, '');
    const refused = await lockFolder(join(file, 'data')).catch((error) => error);
    expect(refused).toBeInstanceOf(DatabaseUnusable);
    expect(refused.message).toMatch(/^The data folder .+ cannot be used: ENOTDIR.*$/);
  });

  it('does not follow a symbolic link instead of the lock', async () => {
    const folder = newFolder();
    await (await lockFolder(folder))();
    rmSync(join(folder, 'lock'));
    const precious = join(root, 'precious');
    writeFileSync(precious, 'content');
    symlinkSync(precious, join(folder, 'lock'));
    await expect(lockFolder(folder)).rejects.toThrow(DatabaseUnusable);
    expect(readFileSync(precious, 'utf8')).toBe('content');
  });
});
