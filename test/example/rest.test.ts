import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { clientServer } from '../client/client-server.ts';

const FOLDER = fileURLToPath(new URL('../../examples/rest', import.meta.url));
const run = promisify(execFile);

describe('the example of REST v1', { timeout: 180_000 }, () => {
  let server: Awaited<ReturnType<typeof clientServer>>;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    server = await clientServer();
    env = { ...process.env, DOCGRAPH_URL: server.url, DOCGRAPH_KEY: server.owner.key };
    if (!existsSync(join(FOLDER, 'node_modules')))
      await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: FOLDER });
  }, 180_000);
  afterAll(() => server.close());

  const start = (...args: string[]) => run(process.execPath, ['dist/main.js', ...args], { cwd: FOLDER, env });

  it('compiles with the types that openapi-typescript makes of the description, and works with openapi-fetch', async () => {
    await run('npm', ['run', '--silent', 'build'], { cwd: FOLDER, env });
    const { owner, organization, project } = server;
    const tasks = Array.from({ length: 30 }, (_, index) => ({ name: `Task ${index}` }));
    await createTasks(await owner.context(), { projectId: project.id, tasks });
    const { stdout } = await start(organization.id, project.id);
    const { tasks: names, document } = JSON.parse(stdout);
    expect([...names].sort()).toEqual([...tasks.map(({ name }) => name), 'Read package.json'].sort());
    expect(document).toBe('package.json');
  });

  it('ends with the code and text of a refusal', async () => {
    await expect(start(server.organization.id, 'prj_none')).rejects.toMatchObject({
      stderr: expect.stringContaining('NOT_FOUND: Project not found.'),
    });
  });
});
