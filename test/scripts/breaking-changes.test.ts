import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runScript } from '../support/script.ts';

const RELEASED = `
directive @old on FIELD
type Query { document(id: ID): Document list(first: Int): [Hit!] }
interface Named { name: String }
type Document implements Named { name: String size: Int state: State }
type Task { name: String }
union Hit = Document | Task
enum State { ACTIVE RECYCLED }
input Filter { name: String }
extend type Query { search(filter: Filter): [Hit!] }
`;

const BROKEN = `
type Query { document(id: ID!): Document list: [Hit!] }
interface Named { name: String }
type Document { name: Int state: State }
type Task { name: String }
union Hit = Document
enum State { ACTIVE }
input Filter { name: String, query: String! }
extend type Query { search(filter: Filter): [Hit!] }
`;

const NAMES = [
  '@?old',
  'Query\\.document',
  'Query\\.list',
  'Document',
  'Document\\.name',
  'Document\\.size',
  'Hit\\.Task',
  'State\\.RECYCLED',
  'Filter\\.query',
];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docgraph-breaking-changes-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const changelog = (unreleased: string, released = '') =>
  write(
    'CHANGELOG.md',
    `# Changelog\n\n## [Unreleased]\n${unreleased}\n\n## [0.1.0] - 2026-01-01\n${released}\n`,
  );
const run = (...args: string[]) => runScript('breaking-changes.ts', root, ...args);

async function release() {
  write('schema.graphql', RELEASED);
  expect(await run('--release')).toEqual({ code: 0, output: '' });
}

describe('the check of breaking changes', () => {
  it('reports that there is no release to compare with', async () => {
    write('schema.graphql', RELEASED);
    expect(await run()).toEqual({
      code: 0,
      output: expect.stringContaining('There is no releases/schema.graphql'),
    });
  });

  it('passes for an addition', async () => {
    await release();
    changelog('');
    write('schema.graphql', `${RELEASED}\nextend type Query { more: Int }`);
    expect(await run()).toEqual({ code: 0, output: '' });
  });

  it('names each breaking change that is not under Unreleased', async () => {
    await release();
    write('schema.graphql', BROKEN);
    changelog('', NAMES.join('\n'));
    const { code, output } = await run();
    expect(code).toBe(1);
    for (const name of NAMES) expect(output).toMatch(new RegExp(`or name ${name} under`));
    expect(output.trim().split('\n')).toHaveLength(NAMES.length);
  });

  it('passes when all are named under Unreleased, and not for names with the same beginning', async () => {
    await release();
    write('schema.graphql', BROKEN);
    const names = NAMES.map((name) => name.replace('@?', '').replace('\\', ''));
    changelog(names.map((name) => `- \`${name}\` is different.`).join('\n'));
    expect(await run()).toEqual({ code: 0, output: '' });
    changelog(names.map((name) => `- \`${name}Longer\``).join('\n'));
    expect((await run()).code).toBe(1);
  });

  it('passes for new types of all fields that are named together, not for removed ones', async () => {
    await release();
    changelog('- `Document.*` are lists.');
    write('schema.graphql', RELEASED.replace('name: String size: Int', 'name: String size: [Int]'));
    expect(await run()).toEqual({ code: 0, output: '' });
    write('schema.graphql', RELEASED.replace('name: String size: Int', 'name: String'));
    expect((await run()).output).toContain('name Document.size under');
  });
});
