import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PATH } from './sandbox.ts';

/** `time`: ms by the clock; `processor`: seconds of it; `memory`, `file` and `disk`: bytes of address space, of a file and of the folder. */
export interface ProcessLimits {
  time: number;
  processor: number;
  memory: number;
  file: number;
  disk: number;
}

/** How a process ended. `died`: by a signal, which is what limits of the system send. */
export type ProcessEnd = 'exited' | 'died' | 'time' | 'disk';

const CHECK_INTERVAL = 250;

/** Sets the limits, in units of POSIX shells: KiB of memory, blocks of 512 bytes; one at a time, as dash takes them. Linux kills it first without memory. */
const limiting = ({ processor, memory, file }: ProcessLimits): string =>
  [
    'ulimit -c 0',
    `ulimit -t ${processor}`,
    `ulimit -v ${Math.ceil(memory / 1_024)}`,
    `ulimit -f ${Math.ceil(file / 512)}`,
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec nice -n 10 "$@"',
  ].join('; ');

/**
 * Runs a command in `folder` within limits, without an environment, input and output. All of its process group is killed at its
 * end. Throws the reason of `signal`, and the error of a command that cannot be started.
 */
export async function runLimited(
  [program, args]: [string, string[]],
  folder: string,
  limits: ProcessLimits,
  signal?: AbortSignal,
): Promise<ProcessEnd> {
  signal?.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', limiting(limits), 'sh', program, ...args], {
    cwd: folder,
    env: { PATH, HOME: folder, LANG: 'C.UTF-8' },
    stdio: 'ignore',
    detached: true, // a process group of its own
  });
  const end = (code: number | null, ended: string | null): ProcessEnd =>
    ended === null && code !== null && code < 128 ? 'exited' : 'died';
  let stopWatching = () => {};
  try {
    return await new Promise<ProcessEnd>((resolve, reject) => {
      child.on('error', reject).on('exit', (code, ended) => resolve(end(code, ended)));
      stopWatching = watch(folder, limits, resolve, () => reject(signal?.reason), signal);
    });
  } finally {
    stopWatching();
    killGroup(child);
  }
}

/** Calls `exceed` when a limit is exceeded, `abort` at the signal. Returns how to stop. */
function watch(
  folder: string,
  { time, disk }: ProcessLimits,
  exceed: (limit: 'time' | 'disk') => void,
  abort: () => void,
  signal?: AbortSignal,
): () => void {
  const timer = setTimeout(() => exceed('time'), time);
  const check = setInterval(async () => {
    if ((await sizeOf(folder)) > disk) exceed('disk');
  }, CHECK_INTERVAL);
  signal?.addEventListener('abort', abort);
  return () => {
    clearTimeout(timer);
    clearInterval(check);
    signal?.removeEventListener('abort', abort);
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of the group have ended.
  }
}

/** Bytes of the files below a folder. Files that end meanwhile count as none. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(file.parentPath, file.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
