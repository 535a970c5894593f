import { DatabaseUnusable } from '../database.ts';

/** SQLSTATE of insufficient_privilege. */
const REFUSED = '42501';

const quoted = (name: string): string => `"${decodeURIComponent(name).replaceAll('"', '""')}"`;

/** For `catch`: where the role of `url` lacks a right, the SQL that gives it; any other error unchanged. */
export function explainRights(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code !== REFUSED) return error;
  const { username, pathname } = new URL(url);
  const role = quoted(username);
  return new DatabaseUnusable(
    `PostgreSQL refuses the role ${role}: ${message}. Let an administrator of the server run in this database: ` +
      `GRANT CREATE ON DATABASE ${quoted(pathname.slice(1))} TO ${role}; GRANT CREATE ON SCHEMA public TO ${role};`,
    { cause: error },
  );
}
