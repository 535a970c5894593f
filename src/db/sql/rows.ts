const names = new Map<string, string>();

/** The member of a row for a column: `projectId` for `project_id`. */
export function camelCase(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/**
 * Prefix of a column that starts a nested row: the columns behind it, up to the next such column, are the nested row's. Where
 * that column is null, the nested row is null.
 */
const NESTED_ROW_PREFIX = '+';

export const startsNestedRow = (column: string): boolean => column.startsWith(NESTED_ROW_PREFIX);

/** The member of a nested row whose first column is `AS "+name"`. */
export const nestedRowKey = (name: string): string => camelCase(NESTED_ROW_PREFIX + name);
