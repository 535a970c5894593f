import { inTransaction } from '../db/transaction.ts';
import { readOrganization, recordExported } from '../domain/archive/organization-export.ts';
import { importOrganization } from '../domain/archive/organization-import.ts';
import { serverActor } from '../domain/kernel/audit.ts';
import { TarMap } from '../lib/tar/tar-map.ts';
import { withArchive, withFolderSpool, writeArchive } from './archive-files.ts';
import type { Command } from './command.ts';

/** The actor of events from the command line. */
const ADMIN = serverActor('admin');

/** A whole organization in one file (docs/work/export.md). */
export const ARCHIVE_COMMANDS: Record<string, Command> = {
  'export-organization': {
    description:
      'Writes all that an organization has, with its files and its event log, to a new tar archive in BagIt format; no secrets.',
    options: [],
    operands: ['organization', 'file'],
    run: ({ db, storage: { store } }, { organization = '', file = '' }) =>
      withFolderSpool(file, async (spool) => {
        const archive = await readOrganization({ db, store, spool }, organization);
        await inTransaction(db, (tx) => recordExported(ADMIN, tx, archive));
        const files = [...archive.parts, ...archive.files];
        const map = new TarMap(files, new Date());
        await writeArchive(map, file);
        return `${organization} is in ${file}: ${files.length} files, ${map.size} bytes, up to event ${archive.description.head.sequence}`;
      }),
  },
  'import-organization': {
    description:
      'Checks an archive of export-organization, and imports its organization with all ids and its event log. People get accounts without a password. --same-people: those who have an account here with the same id and address are the same people.',
    options: [],
    flags: ['same-people'],
    operands: ['file'],
    run: ({ db, storage }, { file = '', 'same-people': samePeople }) =>
      withArchive(file, async (source) => {
        const options = { areSamePeople: samePeople === 'true' };
        const { description, files } = await importOrganization({ db, storage }, ADMIN, source, options);
        const { organizationId, head } = description;
        return `${organizationId} was imported: ${files} files, up to event ${head.sequence}`;
      }),
  },
};
