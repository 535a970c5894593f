import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Busy, type FairSlots, TryLater } from '../../lib/fair-slots.ts';
import { processorTimeOf, workClock } from './work-clock.ts';

/**
 * Limits of one task: `time`, ms of processor time, and `memory`, resident bytes of the whole process. Waiting for the
 * storage or for a busy machine is not charged, but a task ends as Busy after PATIENCE times its `time`.
 */
export interface ChildLimits {
  time: number;
  memory: number;
}

/**
 * How many times longer than its work a task may take, on a busy machine with slow storage. By its lower priority, a child has
 * a tenth of a processor that others keep busy.
 */
const PATIENCE = 20;

/** Why a task failed: too much time or memory, or its process ended. */
export type ChildFailure = 'time' | 'memory' | 'died';

const MESSAGES: Record<ChildFailure, string> = {
  time: 'It took too long.',
  memory: 'It took too much memory.',
  died: 'The process that worked on it ended without an answer.',
};

export class ChildFailed extends TryLater {
  constructor(readonly reason: ChildFailure) {
    super(MESSAGES[reason], 5);
  }
}

/** For `catch`: null when a task exceeded its limits; throws every other failure. */
export function nullIfCostly(error: unknown): null {
  if (error instanceof ChildFailed && error.reason !== 'died') return null;
  throw error;
}

/** The last message of a child for a task; `worn`: its memory has grown, so it is not used again. */
interface ChildResult<Answer> {
  answer: Answer;
  worn: boolean;
}

/**
 * `key`: the organization, since slots are shared fairly; `onRequest` answers requests of the child; `signal` cancels the
 * task; `onWork` is called at its end with its processor time in ms.
 */
export interface ChildCall {
  key: string;
  onRequest?: (request: unknown) => Promise<unknown>;
  signal?: AbortSignal;
  onWork?: (time: number) => void;
}

const IDLE_LIMIT = 30_000;
const CHECK = 25;

/**
 * Child processes that parse untrusted bytes, one task at a time each (child-task.js is their side). They get no
 * environment and no output; a task that exceeds its limits is killed with its process.
 */
export class ChildPool<Task, Answer> {
  readonly #file: string;
  readonly #slots: FairSlots;
  readonly #heap: number;
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();

  /** `heap` is the largest heap of JavaScript objects of a child, in MiB. */
  constructor(file: URL, slots: FairSlots, heap: number) {
    this.#file = fileURLToPath(file);
    this.#slots = slots;
    this.#heap = heap;
  }

  /** Runs one task and returns its answer. Throws Busy, ChildFailed, the reason of `signal`, or what `onRequest` throws. */
  ask(task: Task, limits: ChildLimits, call: ChildCall): Promise<Answer> {
    return this.#slots.run(call.key, () => this.#ask(task, limits, call), call.signal);
  }

  async #ask(task: Task, limits: ChildLimits, call: ChildCall): Promise<Answer> {
    const child = this.#take() ?? this.#start();
    try {
      const { answer, worn } = await exchange<Answer>(child, task, limits, call);
      if (worn) child.kill('SIGKILL');
      else this.#keep(child);
      return answer;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  #start(): ChildProcess {
    const child = fork(this.#file, {
      env: {},
      execArgv: [`--max-old-space-size=${this.#heap}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    lowerPriority(child);
    return child.on('error', () => {}); // without a listener, an error of an idle child would end this process
  }

  #take(): ChildProcess | undefined {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (!child.connected) continue;
      child.ref();
      child.channel?.ref();
      return child;
    }
    return undefined;
  }

  #keep(child: ChildProcess): void {
    child.unref(); // an idle child must not keep this process running
    child.channel?.unref();
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      child.kill('SIGKILL');
    }, IDLE_LIMIT);
    this.#idle.set(child, timer.unref());
  }
}

/** Gives the child a lower priority than the server; without memory left, Linux kills the child first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The child has ended already, or the system has no such file.
  }
}

/** Resident memory in bytes; 0 where the system does not report it: there, only the guard of child-task.js checks it. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = readFileSync(`/proc/${pid}/status`, 'latin1').match(/^VmRSS:\s*(\d+)/m) ?? [];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function exchange<Answer>(
  child: ChildProcess,
  task: unknown,
  limits: ChildLimits,
  { onRequest, signal, onWork }: ChildCall,
): Promise<ChildResult<Answer>> {
  return new Promise((resolve, reject) => {
    const work = workClock(() => processorTimeOf(child.pid));
    const settle = (act: () => void) => {
      onWork?.(work());
      clearTimeout(timer);
      clearInterval(check);
      signal?.removeEventListener('abort', abort);
      child.off('message', receive).off('exit', exited).off('error', fail);
      act();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const died = () => fail(new ChildFailed('died'));
    // The guard of child-task.js ends a child with too much memory by SIGTERM.
    const exited = (_: unknown, ended: unknown) =>
      fail(new ChildFailed(ended === 'SIGTERM' ? 'memory' : 'died'));
    const abort = () => fail(signal?.reason);
    const receive = (message: unknown) => {
      const { request, ...verdict } = message as { request?: unknown } & ChildResult<Answer>;
      if (request === undefined) settle(() => resolve(verdict));
      else reply(child, onRequest, request).catch(fail);
    };
    const timer = setTimeout(() => fail(new Busy()), PATIENCE * limits.time);
    const check = setInterval(() => {
      if (memoryOf(child) > limits.memory) fail(new ChildFailed('memory'));
      else if (work() > limits.time) fail(new ChildFailed('time'));
    }, CHECK);
    signal?.addEventListener('abort', abort);
    child.on('message', receive).on('exit', exited).on('error', fail);
    child.send({ task, memory: limits.memory }, (error) => error && died());
  });
}

async function reply(child: ChildProcess, onRequest: ChildCall['onRequest'], request: unknown) {
  if (!onRequest) throw new ChildFailed('died');
  const answer = await onRequest(request);
  if (child.connected) child.send({ reply: answer });
}

/** Answers `requestBytes` of child-task.js: `read` takes the first and the last byte, both included. */
export const byteResponder =
  (read: (start: number, end: number) => Promise<Uint8Array>) =>
  (request: unknown): Promise<Uint8Array> => {
    const { start, end } = request as { start: number; end: number };
    return read(start, end);
  };
