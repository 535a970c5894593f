import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buildSchema, findBreakingChanges } from 'graphql';

const CURRENT = 'schema.graphql';
/** The schema of the last release. */
const RELEASED = 'releases/schema.graphql';
const USAGE = `usage: tsx scripts/breaking-changes.ts            fails for a breaking change that CHANGELOG.md does not name
       tsx scripts/breaking-changes.ts --release  copies ${CURRENT} to ${RELEASED}`;

/** The member after which a change is named, `Type.member` or `Type`, from the sentences of graphql-js. */
const NAMES: [sentence: RegExp, name: string][] = [
  [/^A required field (\w+) on input type (\w+) was added/, '$2.$1'],
  [/^A required arg \w+ on directive (@?\w+) was added.*/, '$1'],
  [/^A required arg \w+ on (\w+\.\w+) was added/, '$1'],
  [/^(\w+) was removed from (?:enum|union) type (\w+)/, '$2.$1'],
  [/^(?:Repeatable flag|\w+) was removed from (@?\w+)/, '$1'],
  [/^Standard scalar (\w+)/, '$1'],
  [/^(@?\w+(?:\.\w+)?)/, '$1'],
];

function nameOf(description: string): string {
  const [sentence, name] = NAMES.find(([each]) => each.test(description)) ?? [/^.*$/, '$&'];
  return sentence.exec(description)?.[0].replace(sentence, name) ?? description;
}

const unreleased = (changelog: string): string =>
  /^## \[Unreleased\]$(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1] ?? '';

/** Whether the text has the name, and not just a longer one. */
const hasName = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.@])${name.replace('.', '\\.')}(?![\\w]|\\.\\w)`).test(text);

/** A new type of all fields of a type may be named as `Type.*`; their removal may not. */
const isNamed = (text: string, name: string, description: string): boolean =>
  hasName(text, name) ||
  (/ changed type from /.test(description) && text.includes(`\`${name.replace(/\..*/, '.*')}\``));

async function check(): Promise<number> {
  if (!existsSync(RELEASED)) {
    console.log(`There is no ${RELEASED} yet: the schema is not compared with a release.`);
    return 0;
  }
  const [released, current] = await Promise.all(
    [RELEASED, CURRENT].map(async (file) => buildSchema(await readFile(file, 'utf8'))),
  );
  const text = unreleased(await readFile('CHANGELOG.md', 'utf8'));
  const unnamed = findBreakingChanges(released as never, current as never)
    .map(({ description }) => ({ description, name: nameOf(description) }))
    .filter(({ name, description }) => !isNamed(text, name, description));
  for (const { description, name } of unnamed)
    console.error(
      `${description} This breaks clients: undo it, or name ${name} under Unreleased in CHANGELOG.md.`,
    );
  return unnamed.length > 0 ? 1 : 0;
}

async function main([mode, ...others]: string[]): Promise<number> {
  if (others.length > 0 || (mode !== undefined && mode !== '--release')) {
    console.error(USAGE);
    return 1;
  }
  if (mode === undefined) return check();
  await mkdir(dirname(RELEASED), { recursive: true });
  await copyFile(CURRENT, RELEASED);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
