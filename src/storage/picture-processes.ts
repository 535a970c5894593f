import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { turns } from './turns.ts';

/** A picture, wanted as a WebP image or as its pixels, so many wide, for so many bytes of memory at most. */
export interface Wanted {
  bytes: Uint8Array;
  form: 'webp' | 'pixels';
  width: number;
  memory: number;
}

/** What a picture may take: ms, and bytes of the whole process. */
export const LIMITS = { time: 10_000, memory: 512 * 2 ** 20 };

/** What a process says at the end; a worn one has grown, and is not used again. */
export interface Verdict {
  image: { bytes: Uint8Array; width: number; height: number } | null;
  worn: boolean;
}

const FILE = fileURLToPath(new URL('./picture-process.js', import.meta.url));
const IDLE_LIMIT = 30_000;

/** The idle ones, each with what ends it when nobody wants it for a while. */
const idle = new Map<ChildProcess, NodeJS.Timeout>();
const turn = turns(2);

/**
 * The picture in the form that is wanted, or null when there is none: the bytes are broken or too much, the process died of them, or
 * it took more than the limits. Decoders are native code, which no thread can be kept from crashing or from taking
 * memory: they run in two processes of their own. Rejects when none can be started.
 */
export async function drawInProcess(
  picture: Omit<Wanted, 'memory'>,
  { time, memory }: typeof LIMITS,
): Promise<Verdict['image']> {
  if (!(await turn.begin())) return null;
  try {
    const child = take() ?? start();
    const verdict = await ask(child, { ...picture, memory }, time);
    if (verdict.worn) child.kill('SIGKILL');
    else keep(child);
    return verdict.image;
  } finally {
    turn.end();
  }
}

/** It gets no secrets, and is heard on nothing but its messages. */
function start(): ChildProcess {
  const child = fork(FILE, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return child.on('error', () => {}); // unheard, what befalls an idle one would end this process
}

function take(): ChildProcess | undefined {
  for (const [child, timer] of idle) {
    clearTimeout(timer);
    idle.delete(child);
    if (!child.connected) continue;
    child.ref();
    child.channel?.ref();
    return child;
  }
  return undefined;
}

function keep(child: ChildProcess): void {
  child.unref(); // an idle process must not hold this one
  child.channel?.unref();
  const timer = setTimeout(() => {
    idle.delete(child);
    child.kill('SIGKILL');
  }, IDLE_LIMIT);
  idle.set(child, timer.unref());
}

function ask(child: ChildProcess, wanted: Wanted, timeLimit: number): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', giveUp).off('error', fail);
      act();
    };
    const hear = (verdict: unknown) => settle(() => resolve(verdict as Verdict));
    const giveUp = () => settle(() => resolve({ image: null, worn: true }));
    const fail = (error: Error) => settle(() => reject(error));
    const timer = setTimeout(giveUp, timeLimit);
    child.on('message', hear).on('exit', giveUp).on('error', fail);
    child.send(wanted, (error) => error && giveUp());
  });
}
