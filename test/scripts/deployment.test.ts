import { existsSync, readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { misspeltVariables, readConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/environment.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { version, files } = JSON.parse(read('package.json'));

/** The instructions of the Dockerfile, each as one line. */
const instructions = read('Dockerfile').split('\n').filter(Boolean);
const those = (name: string) => instructions.filter((line) => line.startsWith(`${name} `));
const lastStage = instructions.slice(instructions.lastIndexOf(those('FROM').at(-1) as string));

/** The name of an image with all numbers of a version, never `latest` or a moving tag. */
const PINNED = /:(v?\d+\.\d+(\.\d+)?|RELEASE\.[\dTZ-]+)/;

describe('the Dockerfile', () => {
  it('has no problem that dockerfile-utils finds', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('has pinned bases', () => {
    expect(those('FROM')).toHaveLength(2);
    for (const line of those('FROM')) expect(line).toMatch(PINNED);
  });

  it('copies only what exists', () => {
    const sources = those('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !existsSync(new URL(`../../${source}`, import.meta.url)))).toEqual([]);
  });

  it('copies nothing that is ignored', () => {
    const ignored = read('.dockerignore').split('\n').filter(Boolean);
    const sources = those('COPY').flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.filter((source) => ignored.includes(source))).toEqual([]);
  });

  it('runs as another user than root, checks its health and takes signals itself', () => {
    const after = lastStage.slice(lastStage.indexOf('USER node'));
    expect(lastStage).toContain('USER node');
    expect(after.some((line) => line.startsWith('RUN'))).toBe(false);
    expect(lastStage.find((line) => line.startsWith('HEALTHCHECK'))).toContain('/readyz');
    expect(lastStage.at(-1)).toMatch(/^ENTRYPOINT \["node", /);
    expect(lastStage).toContain('VOLUME /data');
  });

  it('has the folders of the package', () => {
    const copied = lastStage.filter((line) => line.startsWith('COPY')).map((line) => line.split(' ').at(-1));
    const needed = files
      .map((file: string) => file.split('/')[0])
      .filter((file: string) => /^(bin|dist|prisma)$/.test(file));
    expect([...new Set(needed)].filter((folder) => !copied.includes(folder as string))).toEqual([]);
    expect(version).toMatch(/^\d/);
  });
});

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'));
  const { environment } = services.docgraph;

  it('has pinned images', () => {
    const images = Object.values<{ image?: string }>(services).flatMap(({ image }) => image ?? []);
    expect(images.length).toBeGreaterThan(3);
    for (const image of images) expect(image).toMatch(PINNED);
  });

  it('sets only variables of ours, to values that we accept', () => {
    expect(Object.keys(environment).filter((name) => !VARIABLES.includes(name))).toEqual([]);
    const config = readConfig(environment);
    expect(config.s3?.bucket).toBe('docgraph');
    expect(config.mail.target).toBe('SMTP');
    expect(misspeltVariables(environment)).toEqual([]);
  });

  it('has a read-only root, and a service for each server that the settings name', () => {
    expect(services.docgraph.read_only).toBe(true);
    const urls = Object.values<string>(environment).filter((value) =>
      /^(postgres|redis|smtp|http):/.test(value),
    );
    const hosts = urls.map((url) => new URL(url).hostname).filter((host) => host !== 'localhost');
    expect(hosts.length).toBe(4);
    expect(hosts.filter((host) => !services[host])).toEqual([]);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/docgraph.service');

  it('starts a file of the package, as an unprivileged user', () => {
    const [, file] = /node_modules\/docgraph\/dist\/(\S+)\.js/.exec(unit) ?? [];
    expect(existsSync(new URL(`../../${file}.ts`, import.meta.url))).toBe(true);
    expect(unit).toMatch(/^DynamicUser=yes$/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
  });

  it('sets only variables of ours, and the one of Node', () => {
    const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(
      ([, text = '']) => text.match(/\w+(?==)/g) ?? [],
    );
    expect(names.filter((name) => name !== 'NODE_ENV' && !VARIABLES.includes(name))).toEqual([]);
  });
});
