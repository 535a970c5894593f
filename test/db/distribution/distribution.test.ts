import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { FOREIGN_KEYS, LOOK_UPS, UNIQUE } from './known.ts';
import {
  foreignKeysWithoutOrganization,
  looksUpByIdAlone,
  lookUpsByIdAlone,
  organizationTables,
  templatesIn,
  uniqueWithoutOrganization,
} from './obstacles.ts';

/** Fails with the entries that are new, and with those that are mended and have to leave the list. */
const difference = (present: readonly string[], listed: readonly string[]) => ({
  new: present.filter((each) => !listed.includes(each)),
  mended: listed.filter((each) => !present.includes(each)),
});
const NONE = { new: [], mended: [] };

const TABLES = ['documents', 'tasks'];

describe('what stands against distribution by organization does not grow:', () => {
  it('unique indexes without the organization', async () => {
    const indexes = await uniqueWithoutOrganization(await testDatabase());
    expect(difference(indexes, Object.values(UNIQUE).flat())).toEqual(NONE);
  });

  it('foreign keys without the organization', async () => {
    const foreignKeys = await foreignKeysWithoutOrganization(await testDatabase());
    const listed = Object.entries(FOREIGN_KEYS).flatMap(([table, columns]) =>
      columns.map((column) => `${column} -> ${table}`),
    );
    expect(difference(foreignKeys, listed)).toEqual(NONE);
  });

  it('look-ups by an id alone', async () => {
    const lookUps = lookUpsByIdAlone(await organizationTables(await testDatabase()));
    expect(lookUps).toEqual(LOOK_UPS);
  });
});

describe('a statement', () => {
  it.each([
    [`SELECT * FROM documents WHERE id = \${id}`, true],
    [`SELECT * FROM documents d WHERE d.id = ANY(\${ids})`, true],
    [`UPDATE tasks SET done = true WHERE parent_id \${condition}`, true],
    [`SELECT * FROM documents WHERE organization_id = \${o} AND id = \${id}`, false],
    ['SELECT * FROM documents WHERE (organization_id, id) IN (SELECT 1, 2)', false],
    [`SELECT organization_id FROM documents WHERE name = \${name}`, false],
    [`SELECT * FROM users WHERE id = \${id}`, false],
  ])('%s is a look-up by an id alone: %s', (template, expected) => {
    expect(looksUpByIdAlone(template, TABLES)).toBe(expected);
  });

  it('is found with the statements in it', () => {
    const source = `const a = sql\`SELECT \${x ? sql\`1\` : sql\`{2}\`} FROM t\`; const b = \`no\`; sql\`SELECT 3\``;
    expect(templatesIn(source)).toEqual([
      `SELECT \${x ? sql\`1\` : sql\`{2}\`} FROM t`,
      '1',
      '{2}',
      'SELECT 3',
    ]);
  });
});
