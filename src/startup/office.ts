import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { OfficeConverter } from '../files/office/converter.ts';
import { type FoundOffice, findOffice } from '../files/office/find.ts';

/** What converts office files to PDF, or why nothing does. */
interface Office {
  office?: OfficeConverter;
  noOffice?: Exclude<FoundOffice, { converter: unknown }>;
}

/** Finds what converts office files. A server without starts all the same: they are stored and downloaded. */
export async function openOffice(config: Pick<Config, 'office'>): Promise<Office> {
  const office = await findOffice(config.office);
  return 'converter' in office ? { office: office.converter } : { noOffice: office };
}

/** Logs what was found, as a warning where the settings ask for what cannot be used. */
export async function logOffice(log: Logger, { office, noOffice }: Office): Promise<void> {
  if (noOffice) {
    const level = noOffice.isFault ? 'warn' : 'info';
    log[level]({ reason: noOffice.reason }, 'office files are not converted to PDF');
    return;
  }
  const by = office?.description;
  const reason = await office?.fault?.();
  if (reason) log.warn({ by, reason }, 'office files wait for what converts them to PDF');
  else log.info({ by }, 'office files are converted to PDF');
}

/** How it stands at the moment, for `/readyz?details`. */
export async function officeState({ office, noOffice }: Office): Promise<string> {
  if (!office) return `off (${noOffice?.reason})`;
  const fault = await office.fault?.();
  return fault ? `${office.description}, but ${fault}` : office.description;
}
