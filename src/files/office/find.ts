import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfficeConverter } from './converter.ts';
import { gotenberg } from './gotenberg.ts';
import { libreOffice, withFolder } from './libre-office.ts';
import { missingParts } from './parts.ts';
import { findSandbox } from './sandbox.ts';

/** `auto`: LibreOffice, where it is found; or its path, or the address of Gotenberg. `unsandboxed`: LibreOffice may run without a sandbox. */
export interface OfficeSettings {
  office: string;
  unsandboxed: boolean;
}

/** The converter, or why there is none, without paths and addresses: `isFault` where the settings ask for one. */
export type FoundOffice = { converter: OfficeConverter } | { reason: string; isFault: boolean };

const FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/usr/lib/libreoffice/program',
  '/usr/lib64/libreoffice/program',
];

async function findProgram(): Promise<string | undefined> {
  const own = (await readdir('/opt').catch(() => [])).filter((name) => name.startsWith('libreoffice'));
  const folders = [...FOLDERS, ...own.sort().map((name) => `/opt/${name}/program`)];
  for (const folder of folders) {
    const program = await executable(join(folder, 'soffice'));
    if (program) return program;
  }
  return undefined;
}

/** The program behind a path, undefined if it cannot be run. Folders pass `access` too. */
async function executable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? await realpath(path) : undefined;
  } catch {
    return undefined;
  }
}

const NO_SANDBOX =
  'LibreOffice was found, but neither bubblewrap (bwrap) nor unshare works here; OFFICE_UNSANDBOXED=1 runs it without';

/** Finds what converts office files here. */
export async function findOffice({ office, unsandboxed }: OfficeSettings): Promise<FoundOffice> {
  if (office === 'off') return { reason: 'OFFICE is off', isFault: false };
  if (/^https?:/.test(office)) return { converter: gotenberg(office) };
  const isFault = office !== 'auto';
  const program = isFault ? await executable(office) : await findProgram();
  if (!program)
    return {
      reason: isFault ? 'the path in OFFICE is not that of a program' : 'LibreOffice was not found',
      isFault,
    };
  try {
    const sandbox = (await withFolder(findSandbox)) ?? (unsandboxed ? 'none' : undefined);
    if (!sandbox) return { reason: NO_SANDBOX, isFault };
    return { converter: libreOffice(program, sandbox, {}, await missingParts(program)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { reason: `the folder for temporary files cannot be used (${code})`, isFault };
  }
}
