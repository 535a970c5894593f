const names = new Map<string, string>();

/** `project_id` is `projectId` in every row we hand on. */
export function camelCase(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/**
 * Begins the name of a column that opens a row within the row: the columns behind it, up to the next such column, are
 * that one's. Where it is null, so is the row within.
 */
const OPENS = '+';

export const startsNestedRow = (column: string): boolean => column.startsWith(OPENS);

/** What a row within rows is called in them, where its column is `AS "+name"`. */
export const nestedRowKey = (name: string): string => camelCase(OPENS + name);

/** Rows as arrays of values, made objects with the names of the model. */
export function toObjects<Row>(columns: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  const keys = columns.map(camelCase);
  const opens = columns.map(startsNestedRow);
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    let into: Record<string, unknown> | null = row;
    for (const [index, key] of keys.entries()) {
      if (opens[index]) {
        into = values[index] === null ? null : {};
        row[key] = into;
      } else if (into) into[key] = values[index];
    }
    return row as Row;
  });
}
