import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';

/** Far above what a query within QUERY_DEPTH and QUERY_COST needs. */
const LEVELS = 200;
const TOKENS = 10_000;
/** The location of each error is found by reading the text line by line. */
const LINES = 2_000;
/** Of variables, with lists and objects: fifty for each item of a batch, which is a thousand unless configured. */
const VALUES = 50_000;
const ALIASES = 100;
/** Each is checked against each other one. */
const FRAGMENTS = 100;
/** Of one field; and of one name in one selection, which says nothing new. */
const DIRECTIVES = 4;
const REPEATED = 20;

const OPENING = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Before these, a name is no field: `@skip`, `...Fragment`, `alias: field`. */
const LEADING = new Set<string>([TokenKind.AT, TokenKind.SPREAD, TokenKind.COLON]);

/**
 * Throws COST_LIMIT_EXCEEDED for a text that the parser, which recurses at each bracket, has no stack for, or that costs
 * more to check than to run. It is read token by token, in a loop.
 */
export function requireReadable(text: string): void {
  requireLines(text);
  const shape = new Shape();
  let level = 0;
  let count = 0;
  for (const token of tokensOf(text)) {
    if (OPENING.has(token.kind)) level++;
    if (CLOSING.has(token.kind)) level--;
    if (level > LEVELS || ++count > TOKENS)
      throw tooMuch(`A query nests at most ${LEVELS} levels, and holds at most ${TOKENS} tokens.`);
    shape.read(token);
  }
}

function requireLines(text: string): void {
  let lines = 1;
  for (const _ of text.matchAll(/\r\n|[\n\r]/g))
    if (++lines > LINES) throw tooMuch(`A query holds at most ${LINES} lines.`);
}

/** Throws COST_LIMIT_EXCEEDED for variables that nest deeper, by lists within lists, or hold more than any input of ours. */
export function requireBounded(variables: unknown): void {
  let level: unknown[] = [variables];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    const below = level.filter(isHolder).map(Object.values);
    for (const { length } of below) count += length;
    if (depth > LEVELS || count > VALUES)
      throw tooMuch(`Variables nest at most ${LEVELS} levels, and hold at most ${VALUES} values.`);
    level = below.flat();
  }
}

const isHolder = (value: unknown): value is object => value !== null && typeof value === 'object';

const tooMuch = (text: string) => new DomainError('COST_LIMIT_EXCEEDED', text);

/** What a selection repeats; arguments, between round brackets, are passed over. */
class Shape {
  readonly #fields: Map<string, number>[] = [];
  #round = 0;
  #aliases = 0;
  #directives = 0;
  #fragments = 0;
  #before = '';

  read({ kind, value }: Token): void {
    if (kind === TokenKind.PAREN_L) this.#round++;
    if (kind === TokenKind.PAREN_R) this.#round--;
    if (this.#round > 0 || kind === TokenKind.PAREN_R) return;
    if (kind === TokenKind.BRACE_L) this.#fields.push(new Map());
    if (kind === TokenKind.BRACE_R) this.#fields.pop();
    if (kind === TokenKind.COLON && ++this.#aliases > ALIASES)
      throw tooMuch(`A query holds at most ${ALIASES} aliases.`);
    if (kind === TokenKind.AT && ++this.#directives > DIRECTIVES)
      throw tooMuch(`A field has at most ${DIRECTIVES} directives.`);
    if (kind !== TokenKind.AT && this.#before !== TokenKind.AT) this.#directives = 0;
    if (this.#definesFragment(value) && ++this.#fragments > FRAGMENTS)
      throw tooMuch(`A query holds at most ${FRAGMENTS} fragments.`);
    if (kind === TokenKind.NAME && !LEADING.has(this.#before)) this.#repeats(value);
    this.#before = kind;
  }

  #definesFragment(word: string): boolean {
    return word === 'fragment' && this.#fields.length === 0 && this.#before !== TokenKind.NAME;
  }

  #repeats(name: string): void {
    const fields = this.#fields.at(-1);
    const times = (fields?.get(name) ?? 0) + 1;
    fields?.set(name, times);
    if (times > REPEATED) throw tooMuch(`A selection names the same field at most ${REPEATED} times.`);
  }
}

/** Ends where the text is no GraphQL: the parser will say so. */
function* tokensOf(text: string): Generator<Token> {
  const lexer = new Lexer(new Source(text));
  try {
    while (lexer.advance().kind !== TokenKind.EOF) yield lexer.token;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}
