import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FairSlots } from '../../lib/fair-slots.ts';
import { MINUTE } from '../../lib/time.ts';
import type { ByteSource } from '../store/byte-source.ts';
import {
  MAX_OUTPUT,
  NotConvertible,
  type OfficeConverter,
  requireSize,
  TOO_LARGE,
  TOO_LONG,
  UNREADABLE,
} from './converter.ts';
import { type ProcessEnd, type ProcessLimits, runLimited } from './limited-process.ts';
import { partOf } from './parts.ts';
import { createProfile } from './profile.ts';
import { confine, type Sandbox } from './sandbox.ts';

/** Address space, of which LibreOffice uses a part only: its libraries alone are 1 GiB of it. */
const LIMITS: ProcessLimits = {
  time: MINUTE,
  processor: 60,
  memory: 4 * 2 ** 30,
  file: 2 * MAX_OUTPUT,
  disk: 1_024 * 2 ** 20,
};

/** Another attempt, in case the machine was busy. */
const ONCE = 1;

const COPIED = 2 ** 20;

const names: Record<Sandbox, string> = {
  bubblewrap: 'LibreOffice in bubblewrap',
  unshare: 'LibreOffice without network, by unshare',
  none: 'LibreOffice without a sandbox',
};

/** Runs `work` with a private folder, which is deleted afterwards; it has a folder `tmp`. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'docgraph-office-'));
  try {
    await mkdir(join(folder, 'tmp'));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Converts files by a LibreOffice of this machine, `program`: one at a time, each in a process with a profile of its own.
 * `missing`: its programs that are not installed, as Impress.
 */
export function libreOffice(
  program: string,
  sandbox: Sandbox,
  own: Partial<ProcessLimits> = {},
  missing: readonly string[] = [],
): OfficeConverter {
  const limits = { ...LIMITS, ...own };
  const slots = new FairSlots({ slots: 1, patience: 2 * limits.time });
  const convertNow = (source: ByteSource, extension: string, signal?: AbortSignal) =>
    withFolder(async (folder) => {
      const input = join(folder, `file.${extension}`);
      await writeSource(source, input);
      await createProfile(join(folder, 'profile'));
      await mkdir(join(folder, 'out'));
      const command = confine(sandbox, { program, args: argsOf(folder, input), folder });
      return readOutput(join(folder, 'out', 'file.pdf'), await runLimited(command, folder, limits, signal));
    });
  return {
    description: [names[sandbox], ...missing.map((part) => `without ${part}`)].join(', '),
    async convert(source, extension, signal) {
      requireSize(source);
      const part = partOf(extension);
      if (part && missing.includes(part))
        throw new NotConvertible(
          `${part} of LibreOffice, which opens such files, is not installed on the server.`,
          0,
        );
      return slots.run(source.organizationId ?? '', () => convertNow(source, extension, signal), signal);
    },
  };
}

const argsOf = (folder: string, input: string): string[] => [
  `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`,
  ...['--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck', '--nofirststartwizard'],
  ...['--convert-to', 'pdf', '--outdir', join(folder, 'out'), input],
];

async function writeSource({ size, read }: ByteSource, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let start = 0; start < size; start += COPIED)
      await file.writeFile(await read(start, Math.min(start + COPIED, size) - 1));
  } finally {
    await file.close();
  }
}

/** LibreOffice exits with 0 also where it could not open a file, and then writes none. */
async function readOutput(path: string, end: ProcessEnd): Promise<Uint8Array<ArrayBuffer>> {
  if (end === 'time') throw new NotConvertible(TOO_LONG, ONCE);
  if (end === 'disk') throw new NotConvertible('It takes too much space to convert.', 0);
  if (end === 'died')
    throw new NotConvertible(
      'It takes too much time or memory to convert, or ends the program that does.',
      ONCE,
    );
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) throw new NotConvertible(UNREADABLE, 0);
  if (size > MAX_OUTPUT) throw new NotConvertible(TOO_LARGE, 0);
  const file = await open(path, 'r');
  return file
    .readFile()
    .then((bytes) => new Uint8Array(bytes))
    .finally(() => file.close());
}
