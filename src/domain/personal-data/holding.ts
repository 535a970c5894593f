import { type Sql, sql } from '../../db/sql/sql.ts';

/** The account whose data is exported or erased. */
export interface Person {
  userId: string;
  /** The address by which rows mean them; null where it was never verified, as it may be somebody else's. */
  address: string | null;
}

/**
 * When rows end. ACCOUNT: in the first transaction, with the account itself. MEMBERSHIP: with the membership of the organization.
 * ADDRESS: next, wherever they are. REPLACED: what identifies the person is overwritten. KEPT: they stay, for `reason`.
 */
export type HoldingEnd = 'ACCOUNT' | 'MEMBERSHIP' | 'ADDRESS' | 'REPLACED' | 'KEPT';

/** Rows of one table that the installation holds about a person. Names of tables and columns are those of the database. */
export interface Holding {
  /** Their name in an export and in the plan of an erasure. */
  kind: string;
  table: string;
  /** Columns by which a row is about the person: it has their id, or their address. */
  by: Readonly<Record<string, 'ID' | 'ADDRESS'>>;
  /** Where none of its columns names the person: a condition on its columns. */
  through?: (person: Person) => Sql;
  /** Those columns of `by` whose index begins with the organization. */
  byOrganization?: readonly string[];
  /** Only rows that meet this condition on its columns too; another entry has the others. */
  only?: Sql;
  /** An expression of type text, by which its rows are listed, and which differs for each of them. */
  cursor: string;
  /** What is exported of a row. */
  columns: readonly string[];
  /** Secrets, and copies of other columns, which are not. */
  withheld?: readonly string[];
  end: HoldingEnd;
  /** Of what is kept: why. Of what is replaced: what. */
  reason?: string;
}

/** True of all rows: the index is searched once for each organization. */
export const IN_EACH = sql`organization_id = ANY(ARRAY(SELECT o.id FROM organizations o))`;

/** Condition on the columns of the table: the row is about the person. */
export function isAbout({ by, through, only, byOrganization = [] }: Holding, person: Person): Sql {
  const named = Object.entries(by).map(([column, holds]) => {
    const isTheirs = sql`${sql.raw(column)} = ${holds === 'ID' ? person.userId : person.address}`;
    return byOrganization.includes(column) ? sql`(${IN_EACH} AND ${isTheirs})` : isTheirs;
  });
  const about = through ? [...named, sql`(${through(person)})`] : named;
  return sql.all([sql`(${sql.join(about, ' OR ')})`, only]);
}
