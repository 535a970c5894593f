import { Constant, type Sql } from './sql.ts';

/**
 * A table under an alias. As a part of a statement it is the alias: `${documents}.id`. The compiler tells the rows of one
 * table from those of another, so that a condition on documents cannot be put on tasks.
 */
export class Rows<Table extends string> extends Constant {
  readonly table: Table;
  /** The table with its alias, for FROM and JOIN. */
  readonly from: Sql;

  constructor(table: Table, alias: string) {
    super(alias);
    this.table = table;
    this.from = new Constant(`${table} ${alias}`);
  }
}
