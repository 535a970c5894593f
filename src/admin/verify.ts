import type { Database } from '../db/database.ts';
import { verifyStamps } from '../domain/anchors/anchor-check.ts';
import { type ChainReport, verifyChains } from '../domain/events/audit-verify.ts';
import { badInput, conflict, notFound } from '../domain/kernel/errors.ts';
import { verifyFiles } from '../domain/maintenance/file-verify.ts';
import { readRate } from '../domain/maintenance/read-rate.ts';
import { findSurplusFiles } from '../domain/maintenance/stored-objects.ts';
import { typeOfId } from '../lib/id.ts';
import type { AdminContext, Command } from './command.ts';

/** In a cursor: the rows are verified, and what follows is a key of the search for surplus files. */
const SURPLUS = 'surplus:';

/** Batches of files between two lines of progress. */
const PROGRESS_INTERVAL = 50;

interface Options {
  organization?: string | undefined;
  hashes: boolean;
  /** Bytes a second; undefined for as fast as the store is. */
  rate?: number | undefined;
  after?: string | undefined;
}

/** Where a verification is, and what it found. */
interface Progress {
  files: number;
  bytes: bigint;
  broken: number;
  surplus: number;
  /** Behind what an interrupted verification continues; undefined before the first batch. */
  cursor: string | undefined;
}

function optionsOf(values: Record<string, string>): Options & { files: boolean } {
  const { organization, files, hashes, rate, after } = values;
  const mib = rate === undefined ? undefined : Number(rate);
  if (mib !== undefined && !(mib > 0)) throw badInput('--rate: MiB a second, a number above 0', 'rate');
  if (mib !== undefined && !hashes) throw badInput('--rate is for --hashes, which reads the files', 'rate');
  if (after !== undefined && !files && !hashes)
    throw badInput('--after is for --files and --hashes', 'after');
  if (after !== undefined && typeOfId(after.replace(SURPLUS, '')) !== 'Blob')
    throw badInput('--after: what an interrupted verification printed', 'after');
  if (organization && after?.startsWith(SURPLUS))
    throw badInput('--after: surplus files are those of all organizations', 'after');
  return {
    organization,
    after,
    hashes: hashes !== undefined,
    files: Boolean(files || hashes),
    rate: mib && mib * 2 ** 20,
  };
}

/** The lines of a report, and how many of them are of something broken. */
async function verifyEvents(db: Database, organization: string | undefined) {
  const report = { lines: [] as string[], broken: 0 };
  for await (const chain of verifyChains(db, organization)) {
    report.lines.push(`${chain.organizationId}: ${chain.finding?.text ?? validText(chain)}`);
    if (chain.finding) report.broken++;
  }
  if (report.lines.length === 0 && organization) throw notFound('Organization');
  const { count, findings } = await verifyStamps(db, organization);
  if (count > 0) report.lines.push(...(findings.length > 0 ? findings : [`${count} time-stamps, all valid`]));
  return { ...report, broken: report.broken + findings.length };
}

function validText({ events, redacted, stamped }: ChainReport): string {
  const parts = [`${events} events, all in order`];
  if (redacted > 0) parts.push(`${redacted} of them redacted`);
  if (stamped)
    parts.push(`the first ${stamped.size} time-stamped on ${stamped.stampedAt} by ${stamped.authority}`);
  return parts.join(', ');
}

async function compareRows(site: AdminContext, options: Options, progress: Progress, signal: AbortSignal) {
  const { hashes, rate, organization: organizationId, after } = options;
  const pace = rate === undefined ? {} : { pace: readRate(rate, signal) };
  const settings = { hashes, after, organizationId, signal, ...pace };
  let batches = 0;
  for await (const batch of verifyFiles(site.db, site.storage.store, settings)) {
    progress.files += batch.files;
    progress.bytes += batch.bytes;
    progress.broken += batch.findings.length;
    progress.cursor = batch.last;
    for (const line of batch.findings) console.log(line);
    if (++batches % PROGRESS_INTERVAL === 0) console.log(`${progress.files} files, up to ${batch.last}`);
  }
}

async function listSurplus(
  { db, storage }: AdminContext,
  after: string | undefined,
  progress: Progress,
  signal: AbortSignal,
) {
  for await (const { surplus, last } of findSurplusFiles(db, storage.store, after)) {
    for (const { key, size, modifiedAt } of surplus)
      console.log(`${key}: surplus, ${size} bytes of ${modifiedAt.toISOString()}`);
    progress.surplus += surplus.length;
    progress.cursor = `${SURPLUS}${last}`;
    signal.throwIfAborted();
  }
}

/** Throws, with the cursor to continue from, when the signal ends it. */
async function verifyStored(site: AdminContext, options: Options, signal: AbortSignal): Promise<Progress> {
  const progress: Progress = { files: 0, bytes: 0n, broken: 0, surplus: 0, cursor: options.after };
  const surplusAfter = options.after?.startsWith(SURPLUS) ? options.after.slice(SURPLUS.length) : undefined;
  try {
    if (surplusAfter === undefined) await compareRows(site, options, progress, signal);
    if (!options.organization) await listSurplus(site, surplusAfter, progress, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const further = progress.cursor ? `Continue with --after ${progress.cursor}` : 'Nothing was verified yet';
    throw conflict(`${summaryOf(progress)}\nInterrupted. ${further}`);
  }
  return progress;
}

function summaryOf({ files, bytes, broken, surplus }: Progress): string {
  const total = `${files} files with ${bytes} bytes`;
  const compared = broken > 0 ? `${broken} of ${total} are not as stored` : `${total}, all as stored`;
  return surplus > 0 ? `${compared}; ${surplus} surplus files, which the next sweep deletes` : compared;
}

/** Runs `work` with a signal that Ctrl-C aborts; a second Ctrl-C ends the process as usual. */
async function interruptibly<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  }
}

/** Throws what it finds, so that the exit code is not 0. Surplus files are no damage: each backup of a running server has some. */
export const verify: Command = {
  description:
    'Verifies the hash chain of the events of one organization, or of all, and its time-stamps, and reports the first event that was changed. With --files also that each stored file exists with the size of its row, and lists files without a row; with --hashes it reads each file, and compares its SHA-256. --rate: MiB a second that are read at most; --after: continues a verification of files that was interrupted, behind what it printed.',
  options: ['rate', 'after'],
  optional: ['rate', 'after'],
  flags: ['files', 'hashes'],
  operands: ['organization'],
  optionalOperands: 1,
  async run(site, values) {
    const { files, ...options } = optionsOf(values);
    const { organization, after } = options;
    const events = after ? { lines: [], broken: 0 } : await verifyEvents(site.db, organization);
    if (!files) {
      if (events.broken > 0) throw conflict(events.lines.join('\n'));
      return events.lines.join('\n');
    }
    for (const line of events.lines) console.log(line);
    const progress = await interruptibly((signal) => verifyStored(site, options, signal));
    if (events.broken + progress.broken > 0) throw conflict(summaryOf(progress));
    return summaryOf(progress);
  },
};
