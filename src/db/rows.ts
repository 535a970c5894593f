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

/** Rows as arrays of values, made objects with the names of the model. */
export function toObjects<Row>(columns: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  const keys = columns.map(camelCase);
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index++) row[keys[index] as string] = values[index];
    return row as Row;
  });
}
