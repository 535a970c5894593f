import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acknowledgedEarly,
  dataBeforeLog,
  readTrace,
  type SystemCall,
  unsyncedAtCheckpoint,
} from '../../support/servers/sync-trace.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;

const COMMITS = 40;

describe.skipIf(!hasStrace)('an embedded database under strace (needs strace)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-sync-'));
  let calls: SystemCall[];

  beforeAll(async () => {
    const file = join(folder, 'trace');
    const names = 'trace=pwrite64,write,fsync,fdatasync,rename,unlink';
    await promisify(execFile)('strace', [
      ...['-f', '-y', '-o', file, '-e', names, '-e', 'signal=none', '-s', '4194304'],
      ...[process.execPath, '--import', 'tsx', 'test/support/servers/pglite-commits.ts'],
      ...[join(folder, 'pg'), String(COMMITS), '8'],
    ]);
    calls = readTrace(readFileSync(file, 'utf8'));
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('acknowledges no commit before a sync of the log that began after it was written', () => {
    expect(acknowledgedEarly(calls)).toEqual({ early: [], acknowledged: COMMITS });
  });

  it('writes no page of a table while a part of the log is not synced', () => {
    expect(dataBeforeLog(calls)).toEqual([]);
  });

  it('syncs the tables before the checkpoint is in the control file', () => {
    expect(unsyncedAtCheckpoint(calls)).toEqual([]);
  });
});
