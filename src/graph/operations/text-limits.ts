import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import { badInput, DomainError } from '../../domain/kernel/errors.ts';
import { isStorable, STORABLE } from '../../lib/text/storable.ts';

/** Far above what a query within QUERY_DEPTH and QUERY_COST needs. */
const MAX_LEVELS = 200;
const MAX_TOKENS = 10_000;
/** graphql-js finds the location of each error by reading the text line by line. */
const MAX_LINES = 2_000;
/** Values in variables, lists and objects included: fifty for each item of a batch of the default size. */
const MAX_VALUES = 50_000;
const MAX_ALIASES = 100;
/** Validation compares each fragment with each other one. */
const MAX_FRAGMENTS = 100;
/** Directives of one field. */
const MAX_DIRECTIVES = 4;
/** Times that one selection may name the same field. */
const MAX_REPEATS = 20;

const OPENING = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const STRINGS = new Set<string>([TokenKind.STRING, TokenKind.BLOCK_STRING]);
const CLOSING = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Tokens after which a name is not a new field: `@skip`, `...Fragment`, `alias: field`. */
const LEADING = new Set<string>([TokenKind.AT, TokenKind.SPREAD, TokenKind.COLON]);

/**
 * Throws COST_LIMIT_EXCEEDED for a text that would overflow the stack of the parser, which recurses at each bracket, or
 * that costs more to validate than to run; BAD_USER_INPUT for one with a string that cannot be stored. Reads token by token,
 * without recursion.
 */
export function requireReadable(text: string): void {
  requireLines(text);
  const repetitions = new Repetitions();
  let level = 0;
  let count = 0;
  for (const token of tokensOf(text)) {
    if (OPENING.has(token.kind)) level++;
    if (CLOSING.has(token.kind)) level--;
    if (level > MAX_LEVELS || ++count > MAX_TOKENS)
      throw limitExceeded(
        `A query may nest at most ${MAX_LEVELS} levels, and have at most ${MAX_TOKENS} tokens.`,
      );
    if (STRINGS.has(token.kind) && !isStorable(token.value))
      throw badInput(`Line ${token.line} of the document: a string must be ${STORABLE}.`);
    repetitions.read(token);
  }
}

function requireLines(text: string): void {
  let lines = 1;
  for (const _ of text.matchAll(/\r\n|[\n\r]/g))
    if (++lines > MAX_LINES) throw limitExceeded(`A query may have at most ${MAX_LINES} lines.`);
}

/** Throws COST_LIMIT_EXCEEDED for variables that nest deeper or hold more values than any input of the schema. */
export function requireBounded(variables: unknown): void {
  let level: unknown[] = [variables];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    const below = level.filter(isContainer).map(Object.values);
    for (const { length } of below) count += length;
    if (depth > MAX_LEVELS || count > MAX_VALUES)
      throw limitExceeded(
        `Variables may nest at most ${MAX_LEVELS} levels, and have at most ${MAX_VALUES} values.`,
      );
    level = below.flat();
  }
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

const limitExceeded = (text: string) => new DomainError('COST_LIMIT_EXCEEDED', text);

/** Counts aliases, directives, fragments and repeated fields; skips arguments, between parentheses. */
class Repetitions {
  readonly #fields: Map<string, number>[] = [];
  #parentheses = 0;
  #aliases = 0;
  #directives = 0;
  #fragments = 0;
  #previous = '';

  read({ kind, value }: Token): void {
    if (kind === TokenKind.PAREN_L) this.#parentheses++;
    if (kind === TokenKind.PAREN_R) this.#parentheses--;
    if (this.#parentheses > 0 || kind === TokenKind.PAREN_R) return;
    if (kind === TokenKind.BRACE_L) this.#fields.push(new Map());
    if (kind === TokenKind.BRACE_R) this.#fields.pop();
    if (kind === TokenKind.COLON && ++this.#aliases > MAX_ALIASES)
      throw limitExceeded(`A query may have at most ${MAX_ALIASES} aliases.`);
    if (kind === TokenKind.AT && ++this.#directives > MAX_DIRECTIVES)
      throw limitExceeded(`A field may have at most ${MAX_DIRECTIVES} directives.`);
    if (kind !== TokenKind.AT && this.#previous !== TokenKind.AT) this.#directives = 0;
    if (this.#definesFragment(value) && ++this.#fragments > MAX_FRAGMENTS)
      throw limitExceeded(`A query may have at most ${MAX_FRAGMENTS} fragments.`);
    if (kind === TokenKind.NAME && !LEADING.has(this.#previous)) this.#countField(value);
    this.#previous = kind;
  }

  #definesFragment(name: string): boolean {
    return name === 'fragment' && this.#fields.length === 0 && this.#previous !== TokenKind.NAME;
  }

  #countField(name: string): void {
    const fields = this.#fields.at(-1);
    const times = (fields?.get(name) ?? 0) + 1;
    fields?.set(name, times);
    if (times > MAX_REPEATS)
      throw limitExceeded(`A selection may name the same field at most ${MAX_REPEATS} times.`);
  }
}

/** Ends at a syntax error, which is left to the parser. */
function* tokensOf(text: string): Generator<Token> {
  const lexer = new Lexer(new Source(text));
  try {
    while (lexer.advance().kind !== TokenKind.EOF) yield lexer.token;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}
