import { sql } from '../../db/sql/sql.ts';
import type { User as UserRow } from '../../generated/prisma/client.ts';
import { visibleUsers } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { finder } from '../kernel/relation.ts';

/** What others may see of a person. */
export type User = Pick<UserRow, 'id' | 'email' | 'name'>;

/** Those of the ids that are visible: oneself, and the people of one's organizations. */
export const findUsers = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<User>(
    sql`SELECT u.id, u.email, u.name FROM users u WHERE u.id = ANY(${ids}) AND ${visibleUsers(viewer)}`,
  );

/** Who made or changed something: named to everyone who sees the thing, also after they left. */
export const findAuthors = finder<User>(
  (_, are) => sql`SELECT u.id, u.email, u.name FROM users u WHERE u.id ${are}`,
);
