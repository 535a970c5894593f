import fc from 'fast-check';

/** Pieces from which names are made that want to be headers, markup, links, or to be read backwards. */
const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\u2028',
    '\u0085',
    '\v',
    '\t',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\u{e0041}',
  ],
  ...[
    'Bcc: all@evil.test',
    'Content-Type: text/html',
    '=?utf-8?q?evil?=',
    '"',
    "'",
    '<',
    '>',
    '&amp;',
    '-->',
    ']]>',
  ],
  ...[
    '<script>alert(1)</script>',
    '<a href="https://evil.test">',
    '</bdi></p><img src=x onerror=alert(1)>',
    '<style>',
  ],
  ...[
    'https://evil.test',
    'http:\u200b//evil.test',
    'www.evil.test',
    'evil.test',
    'evil。test',
    'javascript:alert(1)',
  ],
  ...[
    '\r\n.\r\n',
    'name',
    'Ω',
    '😀',
    '\u0301',
    'ß',
    ' ',
    '.',
    '@',
    '/',
    ':',
    '\\',
    ';',
    ',',
    '\ud800',
    '%0d%0a',
  ],
];

/** A text of up to so many pieces, with other characters between them; no NUL, which PostgreSQL stores nowhere. */
export const hostileText = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength })
    .map((pieces) => pieces.join('').replace(/\0/g, '').toWellFormed());
