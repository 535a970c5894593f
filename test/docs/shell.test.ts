import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDemo } from '../support/servers/demo-folder.ts';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort } from '../support/servers/processes.ts';
import { BLOCKS, type Block, DOCUMENTS, textOf } from './blocks.ts';
import { authorize, demoOf, newCheckout, startDemo } from './demo.ts';
import { openShell, type Shell } from './shell.ts';

const START_MS = 300_000;
const BLOCK_MS = 150_000;
/** The port of the server and of the receiver of webhooks in the documents. */
const [SERVER, RECEIVER] = ['localhost:4000', '9322'];
const SHELLS = ['bash', 'zsh', 'fish'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

const RUN: Record<string, readonly string[]> = {
  sh: ['', 'after', 'endless'],
  js: ['module', 'sign-in'],
  json: ['answer'],
};
const isRun = ({ language, handling }: Block) => RUN[language]?.includes(handling) ?? false;

/** Pages that one begins with, for every shell. */
const FIRST = ['README.md', 'docs/start-front-end.md', 'docs/start-rest.md', 'docs/start-oauth.md'];

/** The pages whose blocks run in a shell; in bash, all. */
const OF_SHELL: Record<string, readonly string[]> = { zsh: [...FIRST, 'docs/tour.md'], fish: FIRST };

const PAGES = DOCUMENTS.map((file): [string, Block[]] => [
  file,
  BLOCKS.filter((block) => block.file === file && isRun(block)),
]).filter(([, blocks]) => blocks.length > 0);

/** The other pages are for an installation of one's own, without a server that runs. */
const usesDemo = (file: string) =>
  textOf(file).includes('data/demo.json') ||
  BLOCKS.some((block) => block.file === file && block.handling === 'after') ||
  file === 'docs/webhooks.md';

/** What a block prints that contains the text before. */
const EXPECTED: [string, RegExp][] = [
  ['cmp - survey.bin', /^identical$/m],
  ['create-key', /^dgk_/m],
  ['price-operations', /points, .*: Me$/m],
  ['redeliverWebhookDeliveries', /"state":"PENDING"/],
];

/** No error of a shell, program or server, and nothing empty or undefined. */
function requireSuccess(text: string, { out, err }: { out: string; err: string }): void {
  expect(err).toBe('');
  expect(out).not.toMatch(/"errors":|"status":\s*[45]\d\d|\bundefined\b/);
  if (!text.includes('npm run')) expect(out).not.toMatch(/^\n|\n\n/);
  for (const [part, expected] of EXPECTED) if (text.includes(part)) expect(out).toMatch(expected);
}

const [first, ...others] = SHELLS.map((shell) => ({ shell, ...newCheckout() }));
afterAll(() => {
  for (const { remove } of [first, ...others].filter((each) => each !== undefined)) remove();
});

describe.each([first, ...others].filter((each) => each !== undefined))('in $shell', ({ shell, folder }) => {
  let server: Awaited<ReturnType<typeof startDemo>>;
  let receiver: number;

  beforeAll(async () => {
    await copyDemo(join(folder, 'data'));
    server = await startDemo(folder);
    receiver = await freePort();
    await moveReceiver(folder, server.port, receiver);
  }, START_MS);
  afterAll(() => server?.stop());

  const ported = (text: string) =>
    text.replaceAll(SERVER, `localhost:${server.port}`).replaceAll(RECEIVER, `${receiver}`);

  it.runIf(folder === first?.folder)(
    'the newest documents of the demo are in folders and have comments',
    async () => {
      const query = `{ viewer { organizations(first: 1) { nodes { projects(first: 1) { nodes { documents(first: 2) {
      nodes { folder { name } comments(first: 1) { nodes { text } } } } } } } } } }`;
      const response = await fetch(`http://localhost:${server.port}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${demoOf(folder).owner.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      });
      const { data } = await response.json();
      const { nodes } = data.viewer.organizations.nodes[0].projects.nodes[0].documents;
      expect(nodes).toEqual(
        Array(2).fill({
          folder: { name: expect.any(String) },
          comments: { nodes: [{ text: expect.any(String) }] },
        }),
      );
    },
  );

  const pages = PAGES.filter(([file]) => OF_SHELL[shell]?.includes(file) ?? true);
  describe.each(pages)('the blocks of %s', (file, blocks) => {
    const empty = usesDemo(file) ? undefined : newCheckout();
    const cwd = empty?.folder ?? folder;
    let session: Shell;
    let printed = '';
    beforeAll(async () => {
      if (empty) await newDataFolder(join(cwd, 'data'));
      session = openShell(shell, cwd);
      const [page] = blocks.filter(({ handling }) => handling === 'after').map(({ argument }) => argument);
      const [before] = BLOCKS.filter((block) => block.file === page && block.language === 'sh');
      if (before) requireSuccess('', await session.run(ported(before.text)));
    });
    afterAll(async () => {
      await session?.close();
      empty?.remove();
    });

    it.each(blocks.map((block): [number, Block] => [block.line, block]))(
      'run: line %i',
      async (_, { text, language, handling, line }) => {
        if (language === 'json') return expect(JSON.parse(printed)).toEqual(JSON.parse(text));
        if (language === 'js') return runModule(session, cwd, ported(text), line);
        if (handling === 'endless') return runEndless(session, cwd, ported(text), line);
        const result = await session.run(ported(text));
        printed = result.out;
        requireSuccess(text, result);
        if (text.includes(`listen(${RECEIVER})`)) await accepts(receiver);
        if (text.includes('redeliverWebhookDeliveries'))
          await expect.poll(session.output).toMatch(/"kind":\s*"task\./);
      },
      BLOCK_MS,
    );
  });

  /** Runs a block that never ends, in the background, until it has printed an event without errors. */
  async function runEndless(session: Shell, cwd: string, text: string, line: number): Promise<void> {
    const file = join(cwd, `events-${line}`);
    requireSuccess('', await session.run(`{\n${text}} > ${file} 2>&1 < /dev/null &\n`));
    const events = async () => {
      await createTask(cwd, server.port);
      return readFileSync(file, 'utf8');
    };
    await expect.poll(events, { interval: 500 }).toContain('data: {"data"');
    expect(readFileSync(file, 'utf8')).not.toContain('"errors"');
  }
});

/** Runs a program beside `data`; one that prints the URL of an authorization gets a browser that allows it. */
async function runModule(session: Shell, cwd: string, text: string, line: number): Promise<void> {
  const file = `app-${line}.mjs`;
  writeFileSync(join(cwd, file), text);
  const visit = text.includes('createServer(') ? () => visitApplication(session, cwd) : undefined;
  const { out, err } = await session.run(`node ${file}\n`, visit);
  expect(err).toBe('');
  expect(out.trim()).not.toBe('');
  expect(out).not.toContain('undefined');
}

/** Allows the application in a browser, which then calls its redirect URI. */
async function visitApplication(session: Shell, cwd: string): Promise<void> {
  const urls = () => session.output().match(/http:\S+\/oauth\/authorize\S+/g) ?? [];
  const before = urls().length;
  await expect.poll(() => urls().length).toBeGreaterThan(before);
  const { origin, searchParams } = new URL(urls().at(-1) as string);
  const callback = new URL(searchParams.get('redirect_uri') as string);
  callback.searchParams.set('code', await authorize(cwd, urls().at(-1) as string));
  callback.searchParams.set('state', searchParams.get('state') as string);
  callback.searchParams.set('iss', origin);
  expect((await fetch(callback)).status).toBe(200);
}

/** Waits until something listens on a port of this machine. */
const accepts = (port: number) =>
  expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);

async function createTask(folder: string, port: number): Promise<void> {
  const { organizationId, projectId, owner } = demoOf(folder);
  const path = `/api/v1/organizations/${organizationId}/projects/${projectId}/tasks`;
  await fetch(`http://localhost:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
    body: '[{"Name":"Look at the quay"}]',
  });
}

/** Gives the webhook of the demo workspace a free port, as another program may listen on its own. */
async function moveReceiver(folder: string, port: number, receiver: number): Promise<void> {
  const { organizationId, owner } = demoOf(folder);
  const graph = async (query: string) => {
    const answer = await fetch(`http://localhost:${port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
    const { data, errors } = (await answer.json()) as any;
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const { organization } = await graph(
    `{ organization(id: "${organizationId}") { webhooks { nodes { id } } } }`,
  );
  const [{ id }] = organization.webhooks.nodes;
  await graph(
    `mutation { updateWebhook(input: { webhookId: "${id}", url: "http://127.0.0.1:${receiver}/tasks" }) { webhook { id } } }`,
  );
}
