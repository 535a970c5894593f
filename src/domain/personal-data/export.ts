import type { Reader } from '../../db/database.ts';
import { ACCOUNT_HOLDINGS } from './account-holdings.ts';
import type { Holding, Person } from './holding.ts';
import { listHeld } from './holding-rows.ts';
import { ORGANIZATION_HOLDINGS } from './organization-holdings.ts';
import { listPersonEvents, organizationsOfPerson } from './person-events.ts';

/** A row of the installation about a person. */
export interface PersonalRecord {
  kind: string;
  data: Record<string, unknown>;
}

/** Records that are read at a time. */
const BATCH = 500;

/**
 * Yields all that the installation holds about an account, in batches: the account, what belongs to it, what organizations
 * hold, and the events by and about the person (GDPR Art. 15 and 20). Secrets and their hashes are left out. Each batch is
 * read when it is asked for, so that rows which are changed meanwhile are as they were or as they are.
 */
export async function* exportPerson(reader: Reader, person: Person): AsyncGenerator<PersonalRecord[]> {
  for (const holding of [...ACCOUNT_HOLDINGS, ...ORGANIZATION_HOLDINGS])
    yield* batchesOf(reader, holding, person);
  for (const organizationId of await organizationsOfPerson(reader, person))
    yield* eventBatches(reader, organizationId, person);
}

async function* batchesOf(
  reader: Reader,
  holding: Holding,
  person: Person,
): AsyncGenerator<PersonalRecord[]> {
  for (let after = ''; ; ) {
    const rows = await listHeld(reader, holding, person, { after, limit: BATCH });
    if (rows.length > 0) yield rows.map(({ data }) => ({ kind: holding.kind, data }));
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.cursor as string;
  }
}

async function* eventBatches(
  reader: Reader,
  organizationId: string,
  person: Person,
): AsyncGenerator<PersonalRecord[]> {
  for (let after = 0n; ; ) {
    const rows = await listPersonEvents(reader, organizationId, person, { after, limit: BATCH });
    if (rows.length > 0) yield rows.map(({ data }) => ({ kind: 'event', data }));
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.sequence as bigint;
  }
}

/** The records of a batch as JSON Lines. */
export const jsonLines = (records: readonly PersonalRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
