import { sql } from '../../db/sql/sql.ts';
import type { User as UserRow } from '../../generated/prisma/client.ts';
import { visibleUsers } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import { finder } from '../kernel/relation.ts';
import { tables } from '../kernel/tables.ts';

/** The columns of a user that others may see. */
export type User = Pick<UserRow, 'id' | 'email' | 'name'>;

/** Returns the users with these ids that the viewer may see: themselves, and members of their organizations. */
export const findUsers = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<User>(
    sql`SELECT u.id, u.email, u.name FROM ${tables.users.from} WHERE u.id ${sql.any(ids)} AND ${visibleUsers(viewer, tables.users)}`,
  );

/** Finds authors by id: visible to everyone who sees what they created or changed, also after they left. */
export const findAuthors = finder<User>(
  (_, are) => sql`SELECT u.id, u.email, u.name FROM ${tables.users.from} WHERE u.id ${are}`,
);
