import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOffice } from '../../../src/files/office/find.ts';
import { libreOffice } from '../../../src/files/office/libre-office.ts';
import type { ProcessLimits } from '../../../src/files/office/limited-process.ts';
import type { Sandbox } from '../../../src/files/office/sandbox.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { fakeSoffice, sandboxes } from '../../support/office/fake-soffice.ts';

const usable = await sandboxes();

/** Runs a shell script as what converts a file. */
const run = async (
  script: string,
  sandbox: Sandbox,
  limits: Partial<ProcessLimits> = {},
  signal?: AbortSignal,
) =>
  Buffer.from(
    await libreOffice(fakeSoffice(), sandbox, limits).convert(
      bytesSource(Buffer.from(script)),
      'docx',
      signal,
    ),
  ).toString();

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

describe.each(usable)('a program that converts files, in the sandbox %s', (sandbox) => {
  it('returns what it wrote, and leaves no folder behind', async () => {
    const folder = await run('printf "$HOME" > "$out/file.pdf"', sandbox);
    expect(folder.startsWith(join(tmpdir(), 'docgraph-office-'))).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  it('gets nothing of the environment of the server', async () => {
    const names = (await run('env | cut -d= -f1 | sort > "$out/file.pdf"', sandbox)).trim().split('\n');
    expect(names.filter((name) => !['PWD', 'OLDPWD', '_', 'SHLVL'].includes(name))).toEqual([
      'HOME',
      'LANG',
      'PATH',
    ]);
  });

  it.each<[string, string, Partial<ProcessLimits>, RegExp]>([
    ['writes nothing', 'exit 0', {}, /cannot be opened/],
    ['fails', 'exit 77', {}, /cannot be opened/],
    ['crashes', 'kill -SEGV $$', {}, /too much time or memory/],
    ['sleeps', 'sleep 600', { time: 300 }, /takes too long/],
    ['computes for ever', 'while :; do :; done', { processor: 1 }, /too much time or memory/],
    [
      'takes too much memory',
      'x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done',
      { memory: 2 ** 28 },
      /cannot be opened|too much time or memory/,
    ],
    [
      'writes a large file',
      'exec head -c 100000000 /dev/zero > "$out/file.pdf"',
      { file: 2 ** 20 },
      /too much time or memory/,
    ],
    [
      'fills the disk',
      'for i in 1 2 3 4 5 6 7 8 9; do head -c 900000 /dev/zero > "$out/$i"; done; sleep 600',
      { disk: 2 ** 22 },
      /too much space/,
    ],
  ])('is ended, and the file refused with a reason, where it %s', async (_, script, limits, reason) => {
    await expect(run(script, sandbox, limits)).rejects.toThrow(reason);
  });

  it('is ended with the processes that it began', async () => {
    const script = 'sleep 7654.3 & printf "$!" > "$out/file.pdf"';
    const pid = Number(await run(script, sandbox));
    expect(pid).toBeGreaterThan(0);
    if (sandbox === 'none') await until(() => !isRunning(pid));
  });

  it('is ended by the signal of its caller', async () => {
    const stop = new AbortController();
    const running = run('sleep 600', sandbox, {}, stop.signal);
    setTimeout(() => stop.abort(new Error('stopping')), 100);
    await expect(running).rejects.toThrow('stopping');
  });

  it.skipIf(sandbox === 'none')('reaches no server', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const script = `bash -c "exec 3<>/dev/tcp/127.0.0.1/${port}" 2> /dev/null && printf reached > "$out/file.pdf" || printf alone > "$out/file.pdf"`;
    expect(await run(script, sandbox)).toBe('alone');
    expect(connections).toBe(0);
  });

  it.skipIf(sandbox !== 'bubblewrap')('sees no files of the server', async () => {
    const script = `ls ${process.cwd()} > /dev/null 2>&1 && printf seen > "$out/file.pdf" || printf hidden > "$out/file.pdf"`;
    expect(await run(script, sandbox)).toBe('hidden');
  });
});

it('one file is converted at a time', async () => {
  const program = fakeSoffice();
  const office = libreOffice(program, 'none');
  const script = `mkdir "${program}.lock" || exit 1; sleep 0.2; rmdir "${program}.lock"; printf ok > "$out/file.pdf"`;
  const convert = (organizationId: string) =>
    office.convert(bytesSource(Buffer.from(script), organizationId), 'docx');
  const all = await Promise.all(['a', 'b', 'a', 'c'].map(convert));
  expect(all.map((bytes) => Buffer.from(bytes).toString())).toEqual(['ok', 'ok', 'ok', 'ok']);
});

it('files that are empty or over 100 MB are refused at once', async () => {
  const office = libreOffice('/does/not/exist', 'none');
  await expect(office.convert(bytesSource(new Uint8Array()), 'docx')).rejects.toThrow('It is empty.');
  const large = { size: 2 ** 27, read: () => Promise.reject(new Error('is read')) };
  await expect(office.convert(large, 'docx')).rejects.toThrow('It is larger than 100 MB.');
});

it('a LibreOffice without Impress says so, and why it converts no presentation', async () => {
  const program = fakeSoffice();
  const settings = join(dirname(program), '../share/registry');
  mkdirSync(settings, { recursive: true });
  for (const part of ['main', 'writer', 'calc']) writeFileSync(join(settings, `${part}.xcd`), '');
  const found = await findOffice({ office: program, unsandboxed: true });
  const converter = 'converter' in found ? found.converter : undefined;
  expect(converter?.description).toMatch(/^LibreOffice .*, without Impress$/);
  const file = bytesSource(Buffer.from('printf ok > "$out/file.pdf"'));
  await expect(converter?.convert(file, 'pptx')).rejects.toThrow(
    'Impress of LibreOffice, which opens such files, is not installed on the server.',
  );
  expect(Buffer.from((await converter?.convert(file, 'xlsx')) as Uint8Array).toString()).toBe('ok');
});
