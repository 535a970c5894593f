import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { DomainError } from '../domain/errors.ts';

/** Far above what a query within QUERY_DEPTH and QUERY_COST needs. */
const LEVELS = 200;
const TOKENS = 10_000;

const OPENING = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Throws COST_LIMIT_EXCEEDED for a text that the parser, which recurses at each bracket, has no stack for, or that costs
 * more to check than to run. It is read token by token, in a loop.
 */
export function requireReadable(text: string): void {
  let level = 0;
  let count = 0;
  for (const kind of kindsOf(text)) {
    if (OPENING.has(kind)) level++;
    if (CLOSING.has(kind)) level--;
    if (level > LEVELS || ++count > TOKENS)
      throw new DomainError(
        'COST_LIMIT_EXCEEDED',
        `A query nests at most ${LEVELS} levels, and holds at most ${TOKENS} tokens.`,
      );
  }
}

/** Ends where the text is no GraphQL: the parser will say so. */
function* kindsOf(text: string): Generator<string> {
  const lexer = new Lexer(new Source(text));
  try {
    while (lexer.advance().kind !== TokenKind.EOF) yield lexer.token.kind;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}
