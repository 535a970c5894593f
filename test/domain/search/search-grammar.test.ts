import { describe, expect, it } from 'vitest';
import { isNear } from '../../../src/domain/search/search-fuzzy.ts';
import { parseQuery } from '../../../src/domain/search/search-grammar.ts';
import { readSearch } from '../../../src/domain/search/search-query.ts';
import { markText } from '../../../src/domain/search/search-snippet.ts';
import { tsqueryOf } from '../../../src/domain/search/search-terms.ts';
import { wordsOf } from '../../../src/domain/search/search-words.ts';

/** A clause as one line: `-` if negated, its field, its words, `*` if a prefix. */
const read = (query: string) =>
  parseQuery(query).map(
    ({ text, negated, prefix, part }) =>
      `${negated ? '-' : ''}${part ? `${part}:` : ''}[${text}]${prefix ? '*' : ''}`,
  );

describe('the grammar of queries', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['invoice', ['[invoice]*']],
    ['paid invoice', ['[paid]', '[invoice]*']],
    ['inv* paid', ['[inv*]*', '[paid]*']],
    ['"annual report"', ['[annual report]']],
    ['paid "annual report" now', ['[paid]', '[annual report]', '[now]*']],
    ['"annual rep', ['[annual rep]*']],
    ['“annual report”', ['[annual report]']],
    ['invoice -draft', ['[invoice]', '-[draft]']],
    ['-"old draft" x', ['-[old draft]', '[x]*']],
    ['-dra*', ['-[dra*]*']],
    ['tag:paid', ['TAG:[paid]*']],
    ['TAG:"to pay" name:x', ['TAG:[to pay]', 'NAME:[x]*']],
    ['-folder:archive a', ['-FOLDER:[archive]', '[a]*']],
    ['tag: paid', ['[tag:]', '[paid]*']],
    ['10:30 https://x.test/y', ['[10:30]', '[https://x.test/y]*']],
    ['INV-2026-001', ['[INV-2026-001]*']],
    ['-', ['[-]*']],
    ['--x', ['-[-x]']],
    ['a " b', ['[a]', '[ b]*']],
    ['""', ['[]']],
  ])('parses %j', (query, clauses) => {
    expect(read(query)).toEqual(clauses);
  });

  it.each([
    ['quotes', '"'.repeat(10_000)],
    ['minuses', '-'.repeat(10_000)],
    ['parts', 'tag:'.repeat(3_000)],
    ['spaces and quotes', ' "'.repeat(5_000)],
    ['lone surrogates', '\ud800 "\udc00'.repeat(2_000)],
    ['NULs', 'a\0b '.repeat(2_500)],
    ['operators of other grammars', "') | !x & <-> :* \\' ; DROP TABLE --".repeat(300)],
  ])('parses ten kilobytes of %s into words of the query', (_, query) => {
    const clauses = parseQuery(query);
    expect(clauses.filter(({ text }) => !query.includes(text))).toEqual([]);
    for (const { text } of clauses)
      expect(wordsOf(text).filter((word) => /[\s'"\\:*|&!()<>\0]/.test(word))).toEqual([]);
  });
});

describe('a search filter', () => {
  const refusal = (query: string) => {
    try {
      return readSearch('org_x', { query });
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ['a text of more than 1,000 characters', 'x'.repeat(1_001), /1000 characters/],
    ['more than 32 words', 'x '.repeat(33), /at most 32/],
    ['a NUL', 'a\0b', /NUL/],
    ['a lone surrogate', 'a\ud800', /NUL/],
  ])('refuses %s', (_, query, message) => {
    expect(refusal(query)).toMatch(message);
  });

  it('ignores clauses without a word, and recognizes a query without words', () => {
    const { terms, wordless } = readSearch('org_x', { query: 'A & B !! "" ' });
    expect([terms.map(({ text }) => text), wordless]).toEqual([['A', 'B'], false]);
    expect(readSearch('org_x', { query: '?!' })).toMatchObject({ terms: [], wordless: true });
    expect(readSearch('org_x', { query: ' ' })).toMatchObject({ terms: [], wordless: false });
  });

  it('becomes index conditions in which text of the query is only words', () => {
    const { terms } = readSearch('org_abcdef', { query: `tag:it's "a' | 'b" c\\':*` });
    expect(terms.map((term) => tsqueryOf({ organizationId: 'org_abcdef' }, term, 'A'))).toEqual([
      "('abcdefit':A) <-> ('abcdefs':A) | ('abcdefits':A)",
      "('abcdefa':A) <-> ('abcdefb':A)",
      "('abcdefc':*A)",
    ]);
  });
});

describe('words', () => {
  it.each([
    ['Übersee-Straße №5', ['ubersee', 'strasse', 'no5']],
    ['ANNUAL_report (v2).PDF', ['annual', 'report', 'v2', 'pdf']],
    ['Договор Й', ['договор', 'и']],
    ['ŁÓDŹ Ærø', ['lodz', 'aero']],
    ['東京都', ['東', '京', '都']],
    ['Plan🚀B', ['plan', '🚀', 'b']],
    ['ｆｕｌｌ ﬁt', ['full', 'fit']],
    ['a\u200bb\u00adc', ['abc']],
    ['x'.repeat(70), ['x'.repeat(60)]],
    [' \u0000\n—…', []],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('two words are similar', () => {
  it.each([
    ['invocie', 'invoice', false],
    ['invoce', 'invoice', false],
    ['invoicee', 'invoice', false],
    ['nivoice', 'invoice', false],
    ['hambrug', 'hamburg', false],
    ['nintenth', 'nineteenth', false],
    ['invio', 'invoices', true],
    ['taks', 'task', false],
  ])('%s and %s', (mistyped, word, beginning) => {
    expect(isNear(mistyped, word, beginning)).toBe(true);
  });

  it.each([
    ['invoice', 'invoices and more', false],
    ['ivnocie', 'invoice', false],
    ['lease', 'please', false],
    ['report', 'resort!', false],
    ['paid', 'party', false],
    ['inv', 'contract', true],
  ])('but not %s and %s', (mistyped, word, beginning) => {
    expect(isNear(mistyped, word, beginning)).toBe(false);
  });
});

describe('highlights', () => {
  const marks = (text: string, ...words: string[]) => {
    const terms = words.map((word) => ({ word: word.replace('*', ''), prefix: word.endsWith('*') }));
    const { text: piece = '', matches = [] } = markText(text, terms) ?? {};
    return matches
      .filter((_, index) => index % 2 === 0)
      .map((start, index) => piece.slice(start, matches[2 * index + 1]));
  };

  it('mark whole words regardless of case and accents, and prefixes', () => {
    expect(marks('Invoice for Übersee, invoices', 'invoice', 'uber*')).toEqual(['Invoice', 'Übersee']);
    expect(marks('東京都', '京')).toEqual(['京']);
    expect(marks('nothing', 'thing')).toEqual([]);
  });

  it('are in an excerpt of at most 200 characters that splits no surrogate pair', () => {
    for (let before = 100; before < 110; before++) {
      const { text = '', matches = [] } =
        markText(`${'🚀'.repeat(before)} word ${'🚀'.repeat(200)}`, [{ word: 'word', prefix: false }]) ?? {};
      expect(text.length).toBeLessThanOrEqual(201);
      expect(text.isWellFormed()).toBe(true);
      expect(text.slice(...(matches as [number, number]))).toBe('word');
    }
  });
});
