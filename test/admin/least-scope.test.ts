import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OFFLINE_COMMANDS } from '../../src/admin/audit.ts';

const leastScope = async (values: Record<string, string>) => OFFLINE_COMMANDS['least-scope']?.run(values);

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'docgraph-')), 'operations.graphql');
  await writeFile(file, text);
  return file;
}

const READ = 'query Read { viewer { tasks { totalCount } } }';
const DONE =
  'mutation Done { completeTask(input: { taskId: "x" }) { task { documents { nodes { name } } } } }';

describe('admin least-scope', () => {
  it('prints the set of the operation of a file', async () => {
    expect(await leastScope({ file: await fileWith(READ) })).toBe('Read: tasks:read');
  });

  it('prints the set of each of several operations, and of all together', async () => {
    expect(await leastScope({ file: await fileWith(`${READ} ${DONE}`) })).toBe(
      'Read: tasks:read\nDone: documents:read tasks:write\nall: documents:read tasks:read tasks:write',
    );
  });

  it('prints the set of a route of REST v1', async () => {
    expect(await leastScope({ route: 'get /user/preferences' })).toBe('read');
    expect(await leastScope({ route: 'POST /api/v1/organizations/org_1/projects/prj_1/tasks' })).toBe(
      'documents:read tasks:read tasks:write',
    );
  });

  it.each<Record<string, string>>([
    { route: 'GET /nothing' },
    { route: '' },
    {},
  ])('does not find %j', async (values) => {
    await expect(leastScope(values)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses operations that are not valid', async () => {
    await expect(leastScope({ file: await fileWith('{ nothing }') })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });
});
