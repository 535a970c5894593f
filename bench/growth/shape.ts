import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { createDatabase, findDatabase, onServer, statementsOf } from '../data.ts';

/** How many of each there are in an organization. `items`: tasks, approvals, submissions, events and notifications. */
export interface Shape {
  members: number;
  projects: number;
  groups: number;
  items: number;
  folders: number;
  comments: number;
  revisions: number;
  /** That one person belongs to. */
  organizations: number;
}

export const SMALL: Shape = {
  ...{ members: 100, projects: 100, groups: 100, items: 200 },
  ...{ folders: 100, comments: 100, revisions: 100, organizations: 60 },
};

export const LARGE: Shape = {
  ...{ members: 100_000, projects: 10_000, groups: 10_000, items: 1_000_000 },
  ...{ folders: 100_000, comments: 100_000, revisions: 10_000, organizations: 1_000 },
};

const FILES = ['start', 'people', 'work', 'content', 'end'];

/** The number of a kind's id, as in `data/start.sql`. */
export const id = (prefix: string, number: number): string =>
  `${prefix}_01${number.toString(16).padStart(24, '0')}`;

/** A migrated database with this shape in it; with `reuse`, the one that is there. */
export async function makeShape(server: string, name: string, shape: Shape, reuse = false) {
  const there = reuse && (await findDatabase(server, name));
  if (there) return there;
  const made = await createDatabase(server, name);
  await (await openPostgres({ url: made.url, pool: 1, statementTimeout: 60_000 })).close();
  await onServer(made.url, async (client) => {
    for (const file of FILES)
      for (const statement of await statementsOf(`./growth/data/${file}.sql`, { ...shape }))
        await client.query(statement);
    // Nothing but what is measured writes or waits for the disk.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
  return made;
}
