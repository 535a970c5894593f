import { readFileSync } from 'node:fs';
import { tables } from '../../src/domain/kernel/tables.ts';

const ALIASES = new Map<string, string>(
  Object.entries(tables).map(([name, rows]) => [name, rows.strings[0] as string]),
);

/** SIGNING_ROWS of domain/access/access-signing.ts. */
for (const alias of ['r', 'g', 'd']) ALIASES.set(`SIGNING_ROWS.${alias}`, alias);

/** Aliases that are no table's: the parent of a list (kernel/listing.ts), a member to be notified (access-notification.ts), an upsert's row. */
const NO_TABLE = ['k', 'recipient', 'excluded'];

/** The texts of all templates with the tag `sql` in `code`, with `${tables.x.from}` as it is rendered and other values as `$`. */
function templatesIn(code: string): string[] {
  const texts: string[] = [];
  let at = 0;
  const readCode = (): string => {
    const from = at;
    for (let depth = 0; at < code.length && (depth > 0 || code[at] !== '}'); at++) {
      if (code[at] === '`') readTemplate();
      else if (code[at] === '{') depth++;
      else if (code[at] === '}') depth--;
    }
    return code.slice(from, at++);
  };
  const readTemplate = (): void => {
    const isSql = code.slice(0, at).endsWith('sql');
    let text = '';
    for (at++; code[at] !== '`'; ) {
      if (code.startsWith('${', at)) {
        at += 2;
        const name = /^(?:tables\.)?([\w.]+)\.from$/.exec(readCode())?.[1];
        const alias = ALIASES.get(name ?? '');
        text += alias ? `x ${alias}` : '$';
      } else text += code[at++];
    }
    if (isSql) texts.push(text);
  };
  readCode();
  return texts;
}

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const USED = /(?<![\w.$'"+@])([a-z][a-z0-9_]*)\.(?=[a-z*"])/g;
const BOUND =
  /(?:^x|\bx|\b(?:FROM|JOIN|UPDATE|USING|INTO)\s+(?:LATERAL\s+)?(?:[a-z_]+|\$)|\)|ORDINALITY|,\s*[a-z_]+|^[a-z_]+)\s+(?:AS\s+)?([a-z][a-z0-9_]*)\b/gm;
/** Tables and common table expressions by their own name. */
const NAMED = /\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+([a-z_]+)\b/g;

const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map((match) => match[1] as string);

const boundIn = (text: string) => new Set([...all(BOUND, text), ...all(NAMED, text), ...NO_TABLE]);

interface Declaration {
  name: string | undefined;
  /** It is a part of statements of other files: a constant of SQL, or a function that returns one. */
  shared: boolean;
  text: string;
}

/** What runs a statement of its own, or is one: a list, a finder, a command. */
const WHOLE = /\.query[<(]|\bquery<|reader\b|\btx\b|Listing\b|\bsparse:|\blisting\(|\bfinder\b/;

function declarationsOf(file: string): Declaration[] {
  const code = withoutComments(readFileSync(file, 'utf8'));
  if (!code.includes('sql`')) return [];
  return code.split(/^(?=(?:export )?(?:const|function|async) )/m).map((declaration) => ({
    name: /(?:const|function)\s+(\w+)/.exec(declaration)?.[1],
    shared: declaration.startsWith('export') && !WHOLE.test(declaration),
    text: templatesIn(declaration).join('\n;\n'),
  }));
}

const unbound = ({ name, text }: Declaration, bound: ReadonlySet<string>): string[] =>
  [...new Set(all(USED, text))].filter((alias) => !bound.has(alias)).map((alias) => `${name}: ${alias}`);

/** Aliases in the SQL of each declaration of a file that it neither binds itself nor is given as rows of a table. */
export const untypedAliases = (file: string): string[] =>
  declarationsOf(file).flatMap((declaration) => unbound(declaration, boundIn(declaration.text)));

/** Those that no statement of the file binds: they are of the statement of another file. */
export function foreignAliases(file: string): string[] {
  const declarations = declarationsOf(file);
  const bound = boundIn(declarations.map(({ text }) => text).join('\n;\n'));
  return declarations.flatMap((declaration) => unbound(declaration, bound).map((use) => `${file}: ${use}`));
}

/** Those of constants and functions that other files make parts of their statements. */
export const sharedAliases = (file: string): string[] =>
  declarationsOf(file)
    .filter(({ shared }) => shared)
    .flatMap((declaration) =>
      unbound(declaration, boundIn(declaration.text)).map((use) => `${file}: ${use}`),
    );
