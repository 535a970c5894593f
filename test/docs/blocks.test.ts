import { existsSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { signatureOf } from '../../src/domain/webhooks/webhook-signature.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';
import { BLOCKS, type Block, blocksIn, DOCUMENTS, ROOT, textOf } from './blocks.ts';
import { mermaidErrors } from './mermaid.ts';

/** How the blocks of each language may be run; '' is the language's own way. */
const HANDLINGS: Record<string, readonly string[]> = {
  sh: ['', 'after', 'endless', 'network', 'run-by'],
  graphql: [''],
  js: ['', 'module', 'sign-in'],
  json: ['', 'answer'],
  ini: [''],
  nginx: [''],
  caddy: [''],
  yaml: [''],
  mermaid: [''],
  sql: [''],
};

const SCRIPTS = Object.keys(JSON.parse(textOf('package.json')).scripts);

describe('the blocks of code in the documents', () => {
  it('are found, each between its fences', () => {
    const fences = DOCUMENTS.flatMap((file) => textOf(file).match(/^ *(```|~~~)/gm) ?? []);
    expect(BLOCKS.length).toBeGreaterThan(20);
    expect(fences.length).toBe(BLOCKS.length * 2);
  });

  it('have a language and a handling that are tested', () => {
    const isTested = ({ language, handling }: Block) => HANDLINGS[language]?.includes(handling);
    expect(BLOCKS.filter((block) => !isTested(block))).toEqual([]);
  });
});

describe('each block of shell commands', () => {
  it.each(blocksIn('sh', 'run-by'))('%s is run by the files that it names', (_, { text, argument }) => {
    const files = argument.split(',');
    const commands =
      text.match(
        /\bnpm (?:ci|test|start)\b|\b(?:rsync|pg_dump)\b|--ignore-scripts|CREATE EXTENSION IF NOT EXISTS \w+/g,
      ) ?? [];
    expect(commands).not.toEqual([]);
    for (const command of commands)
      expect(files.filter((file) => textOf(file).includes(command))).not.toEqual([]);
  });

  it.each(blocksIn('sh', 'network'))('%s needs packages that are not installed', (_, { text }) => {
    const [install = '', ...rest] = text.split('\n');
    const packages = install.replace(/^npm i --no-save /, '').split(' ');
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter((name) => existsSync(`${ROOT}node_modules/${name}`))).toEqual([]);
    expect(packages.filter((name) => !rest.join('\n').includes(`'${name}'`))).toEqual([]);
    const programs = rest.join('\n').match(/\bdist\/\S+/g) ?? [];
    expect(programs.filter((program) => !textOf('bin/launch.js').includes(`\${ROOT}${program}`))).toEqual([]);
  });

  it.each(blocksIn('sh'))('%s has no comments, which an interactive zsh takes as arguments', (_, {
    text,
  }) => {
    expect(text).not.toMatch(/(^|\s)#/m);
  });
});

describe('each block of GraphQL', () => {
  it.each(blocksIn('graphql'))('%s is valid, and an owner can run it', async (_, { text }) => {
    expect(validate(schema, parse(text))).toEqual([]);
    const { owner, organization } = await newWorld();
    const { data, errors } = await owner.graph(text.replaceAll('org_…', organization.id));
    expect(errors).toBeUndefined();
    expect(data).toBeTruthy();
  });
});

describe('each block of JSON', () => {
  it('is valid', () => {
    for (const [, { text }] of blocksIn('json')) JSON.parse(text);
  });
});

describe('each block of JavaScript', () => {
  it.each(blocksIn('js', ''))('%s accepts the signatures of webhooks, and no others', async (_, { text }) => {
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const previousSecretExpiresAt = new Date(Date.now() + 60_000);
    const webhook = { secret: 'first', previousSecret: 'second', previousSecretExpiresAt };
    const header = signatureOf(webhook, '{"a":1}', new Date());
    for (const secret of ['first', 'second']) expect(isGenuine(header, '{"a":1}', secret)).toBe(true);
    expect(isGenuine(header, '{"a":2}', 'first')).toBe(false);
    expect(isGenuine(header, '{"a":1}', 'third')).toBe(false);
    expect(isGenuine('', '{"a":1}', 'first')).toBe(false);
    expect(isGenuine(signatureOf(webhook, '{"a":1}', new Date(0)), '{"a":1}', 'first')).toBe(false);
  });
});

describe('each block of nginx', () => {
  it.each(blocksIn('nginx'))('%s has balanced blocks of directives, and the limit of uploads', (_, {
    text,
  }) => {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => line.trim());
    expect(lines.filter((line) => !/^(\}|[a-z_]+ .*[;{])$/.test(line))).toEqual([]);
    expect(text.split('{').length).toBe(text.split('}').length);
    const [, gigabytes] = /client_max_body_size (\d+)g;/.exec(text) ?? [];
    expect(Number(gigabytes) * 2 ** 30).toBe(readConfig({}).limits.uploadBytes);
  });
});

describe('each block of Caddy', () => {
  it.each(blocksIn('caddy'))('%s has balanced blocks, and the limit of uploads', (_, { text }) => {
    expect(text.split('{').length).toBe(text.split('}').length);
    const [, gigabytes] = /max_size (\d+)GiB/.exec(text) ?? [];
    expect(Number(gigabytes) * 2 ** 30).toBe(readConfig({}).limits.uploadBytes);
  });
});

describe('each block of YAML', () => {
  it.each(blocksIn('yaml'))('%s is valid, and scrapes the job that the alert rules name', (_, { text }) => {
    const { scrape_configs } = parseYaml(text);
    expect(textOf('deploy/prometheus-rules.yml')).toContain(`job="${scrape_configs[0].job_name}"`);
  });
});

describe('each block of SQL', () => {
  it.each(blocksIn('sql'))('%s reads the page of documents of a project', async (_, { text }) => {
    const { db, owner, organization, project } = await newWorld();
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Quay wall.txt' }]);
    const values = [[organization.id], [project.id], '', ''];
    const rows = await db.readByPrisma((client) => client.$queryRawUnsafe(text, ...values));
    expect(rows).toMatchObject([{ parent_index: 1n, id: document?.id }]);
  });
});

describe('each diagram', () => {
  it.each(blocksIn('mermaid'))('%s has only statements of its kind', (_, { text }) => {
    expect(mermaidErrors(text)).toEqual([]);
  });

  it.each(blocksIn('mermaid'))('%s names only files that exist', (_, { text }) => {
    const paths = (text.match(/[\w-]+(?:\/[\w-]+)+\.tsx?\b/g) ?? []).map((path) => `${ROOT}src/${path}`);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(DOCUMENTS)('%s names only scripts of package.json', (file) => {
    const named = [...textOf(file).matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)].map(
      ([, name]) => name,
    );
    expect(named.filter((name) => !SCRIPTS.includes(name as string))).toEqual([]);
  });
});
