/** A system call of `strace -f -y -s 4194304`; `start` and `end` are its lines, for others run between them. */
export interface SystemCall {
  name: string;
  /** Of the file that its first argument is. */
  path: string;
  text: string;
  start: number;
  end: number;
}

/** In the order in which they began. */
export function readTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  trace.split('\n').forEach((line, index) => {
    const [, thread = '', text = ''] = line.match(/^(\d+) +(.*)$/) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(text);
    if (resumed) {
      const call = unfinished.get(thread);
      if (call) call.end = index;
      return;
    }
    const [, name, path = ''] = text.match(/^(\w+)\((?:\d+<([^>]*)>)?/) ?? [];
    if (!name) return;
    const call = { name, path, text, start: index, end: index };
    calls.push(call);
    if (text.endsWith('<unfinished ...>')) {
      call.end = Infinity;
      unfinished.set(thread, call);
    }
  });
  return calls;
}

const isLog = ({ path }: SystemCall): boolean => /\/pg_wal\/[0-9A-F]{24}$/.test(path);
const writes = ({ name }: SystemCall): boolean => name === 'pwrite64' || name === 'write';
const syncs = ({ name }: SystemCall): boolean => name === 'fsync' || name === 'fdatasync';

/** Whether a sync of the file that `write` wrote began after it and ended before the line `by`. */
const isSynced = (calls: SystemCall[], write: SystemCall, by: number): boolean =>
  calls.some((call) => syncs(call) && call.path === write.path && call.start > write.end && call.end < by);

/** From the first acknowledgement on: what a start does has no one to answer to. */
const underWay = (calls: SystemCall[]): SystemCall[] => calls.slice(calls.findIndex(isAcknowledgement));

const isAcknowledgement = ({ text }: SystemCall): boolean => /^write\(1\D.*acknowledged marker/.test(text);

const isTable = ({ path }: SystemCall): boolean =>
  /\/pg\/(base|global|pg_xact)\/[^/]*\/?\d+(_\w+)?$/.test(path);

/** The commits that were acknowledged before their record was on disk. */
export function acknowledgedEarly(calls: SystemCall[]) {
  const acks = calls.filter(isAcknowledgement);
  const early = acks.filter((ack) => {
    const marker = /marker-\d+/.exec(ack.text)?.[0] as string;
    const record = calls.find((call) => writes(call) && isLog(call) && call.text.includes(marker));
    return !record || !isSynced(calls, record, ack.start);
  });
  return { early: early.map(({ text }) => text), acknowledged: acks.length };
}

/** Writes of tables that began while a write of the log before them was not on disk. */
export function dataBeforeLog(calls: SystemCall[]): string[] {
  const late = underWay(calls);
  return late
    .filter((call) => writes(call) && isTable(call))
    .filter(({ start }) =>
      late.some((call) => isLog(call) && writes(call) && call.end < start && !isSynced(calls, call, start)),
    )
    .map(({ text }) => text.slice(0, 200));
}

/** Tables that were written, and not synced before the last write of the control file. */
export function unsyncedAtCheckpoint(calls: SystemCall[]): string[] {
  const control = calls.findLast((call) => writes(call) && call.path.endsWith('/pg_control'));
  const written = underWay(calls).filter((call) => writes(call) && isTable(call));
  if (!control || written.length === 0) return ['there was no checkpoint'];
  return written.filter((call) => !isSynced(calls, call, control.start)).map(({ path }) => path);
}
