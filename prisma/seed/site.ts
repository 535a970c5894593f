import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import { viewerOfUser } from '../../src/domain/users/viewer-of-user.ts';
import type { PersonKey } from './workspace-people.ts';
import type { SeedPerson } from './workspace-shape.ts';

/** The users by their keys. */
export type People = Record<PersonKey, SeedPerson & { id: string }>;

/** What the seed functions need: the database, the file store and the users. */
export interface SeedSite {
  db: Database;
  storage: Storage;
  limits: Config['limits'];
  people: People;
}

/** Returns a context of a person with their current rights, so that access control applies to the seed. */
export const actAs = async (
  { db, storage, limits, people }: SeedSite,
  person: PersonKey,
): Promise<Context> => ({
  db,
  storage,
  limits,
  requestId: 'demo',
  viewer: await viewerOfUser(db, people[person].id, 'demo'),
});
