import { viewerOfUser } from '../../src/auth/viewer-of-user.ts';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Context, Storage } from '../../src/domain/kernel/context.ts';
import type { PersonKey } from './workspace-people.ts';
import type { SeedPerson } from './workspace-shape.ts';

export type People = Record<PersonKey, SeedPerson & { id: string }>;

/** What making needs: where to, and who is who. */
export interface SeedSite {
  db: Database;
  storage: Storage;
  limits: Config['limits'];
  people: People;
  say: (line: string) => void;
}

/** The context of someone, with the rights of this moment: all is made by the rules, as its maker. */
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
