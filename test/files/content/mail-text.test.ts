import { describe, expect, it } from 'vitest';
import { inspectBytes } from '../../../src/files/content/sniff/inspect.ts';
import { sourceOf } from './bytes.ts';
import { expectFound, pagesOf } from './corpus.ts';

const lines = (...each: string[]) => each.join('\r\n');
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');

/** What Base64 looks like in the words of an index. */
const NOISE = 'zephyr words that are encoded so that nobody sees them as they are sent '.repeat(4);
const ENCODED = base64(NOISE);
const LINE_OF_BASE64 = ENCODED.slice(0, 40);

const HEADERS = lines(
  'From: Margit <m@example.test>',
  'To: Søren <s@example.test>',
  'Subject: Breakwater',
  'Message-ID: <1@x>',
);

const part = (type: string, body: string, ...more: string[]) =>
  lines('--b', `Content-Type: ${type}`, ...more, '', body, '');
const multipart = (kind: string, ...parts: string[]) =>
  lines(HEADERS, `Content-Type: multipart/${kind}; boundary=b`, '', ...parts, '--b--', '');

const encodedMail = lines(
  HEADERS,
  'Content-Type: text/plain',
  'Content-Transfer-Encoding: base64',
  '',
  ENCODED,
);

const typeOf = async (text: string, filename: string) =>
  (await inspectBytes({ ...sourceOf(Buffer.from(text)), filename })).contentType;

describe('a mail', () => {
  it.each<[string, string, string]>([
    ['the line of a mailbox before it', 'From m@example.test Mon May  6 10:00:00 2024\r\n', 'a.eml'],
    ['another line of a mailbox', 'From - whenever\n', 'a.eml'],
    ['blank lines before it', '\r\n\r\n', 'a.eml'],
    ['a byte order mark', '\ufeff', 'a.eml'],
    ['a mark and a line of a mailbox', '\ufeff\nFrom x Mon May  6 10:00:00 2024\n', 'a.eml'],
    ['Received first', 'Received: by mx.example.test; Mon, 6 May 2024 10:00:00 +0000\r\n', 'a.eml'],
    ['Return-Path first', 'Return-Path: <m@example.test>\r\n', 'a.eml'],
    ['its own header first', 'X-Spam-Level: *\r\n\tfolded\r\n', 'a.eml'],
    ['no name', 'Received: by x\r\n', 'upload'],
    ['the name of a text', '', 'a.txt'],
    ['the line of a mailbox, and no name', 'From m@example.test Mon May  6 10:00:00 2024\r\n', 'upload'],
  ])('is read with %s', async (_, before, filename) => {
    await expectFound(before + encodedMail, filename, {
      found: ['Breakwater', 'Margit', 'Søren', 'zephyr words that are encoded'],
      not: [LINE_OF_BASE64, 'Spam', 'Received'],
    });
  });

  it.each([
    ['From here on\nnothing: is as before', 'a.txt'],
    ['Subject: a note\nFrom: me\n\nThis is my own list', 'a.txt'],
    ['Note: a\nDate: b\n', 'upload'],
    ['Hello there', 'm.eml'],
  ])('is no text that only looks like one: %s', async (text, filename) => {
    expect(await typeOf(text, filename)).toBe('text/plain');
    await expectFound(text, filename, { found: [text] });
  });

  it('is found by headers in other encodings', async () => {
    const mail = lines(
      'From: =?iso-8859-1?Q?J=FCrgen?= <j@example.test>',
      'Reply-To: office@example.test',
      'To: Team: =?utf-8?B?xYF1a2Fzeg==?= <l@example.test>, b@example.test;',
      'Bcc: hidden@example.test',
      'Subject: =?shift_jis?B?kL+LgY+R?= =?utf-8?Q?_n=C2=B0_5?=',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=windows-1252',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'une =9Cuvre',
    );
    await expectFound(mail, 'a.eml', {
      found: ['Jürgen', 'office', 'Łukasz', 'b@example.test', 'hidden', '請求書', 'n° 5', 'une œuvre'],
    });
  });

  it.each([
    ['a stub', 'Your mail client does not support HTML.'],
    ['one blank', ' '],
    ['nothing', ''],
  ])('is read from its HTML where the plain part is %s', async (_, stub) => {
    const html = '<html><div style="display:none">preheader</div><p>The <b>real</b> words</p></html>';
    await expectFound(multipart('alternative', part('text/plain', stub), part('text/html', html)), 'a.eml', {
      found: ['The real words'],
      not: ['client', 'preheader'],
    });
  });

  it('is read from its plain part where the HTML is empty', async () => {
    const mail = multipart(
      'alternative',
      part('text/plain', 'plain words'),
      part('text/html', '<html><img src="a"></html>'),
    );
    await expectFound(mail, 'a.eml', { found: ['plain words'] });
  });

  it('has the text of attached mails, texts and appointments, and the names of the rest', async () => {
    const attached = 'Content-Disposition: attachment; filename=';
    const inner = lines(
      'From: Inner <i@example.test>',
      'Subject: within',
      '',
      multipart('mixed', part('text/plain', 'deepest')).slice(0, 0),
      'inner words',
    );
    const mail = multipart(
      'mixed',
      part('text/plain', 'outer words'),
      part('message/rfc822', inner),
      part('message/rfc822', inner.replace('inner words', 'attached words'), `${attached}mail.eml`),
      part(
        'text/csv; charset=windows-1251',
        base64('name;sum\nZoë;5'),
        `${attached}list.csv`,
        'Content-Transfer-Encoding: base64',
      ),
      part('text/html', '<p>page words</p>', `${attached}page.html`),
      part(
        'application/octet-stream',
        base64('bare words'),
        `${attached}readme.txt`,
        'Content-Transfer-Encoding: base64',
      ),
      part(
        'text/calendar; method=REQUEST',
        lines('BEGIN:VCALENDAR', 'SUMMARY:Board mee', ' ting\\, annual', 'END:VCALENDAR'),
      ),
      part('application/pdf', ENCODED, `${attached}plan.pdf`, 'Content-Transfer-Encoding: base64'),
    );
    await expectFound(mail, 'a.eml', {
      found: [
        'outer words',
        'within',
        'inner words',
        'attached words',
        'Zoë',
        'page words',
        'bare words',
        'Board meeting, annual',
        'plan.pdf',
      ],
      not: [LINE_OF_BASE64],
    });
  });

  it('has no Base64 where its structure is broken', async () => {
    const mail = lines(
      HEADERS,
      '',
      'words before',
      '--b',
      'Content-Type: application/pdf',
      '',
      ENCODED,
      '--b--',
      'words after',
      'begin 644 a.bin',
      'M1234567890ABCDEFGHIJ',
      '`',
      'end',
      'last words',
      `x${ENCODED.replaceAll('\r\n', '')}`,
    );
    await expectFound(mail, 'a.eml', {
      found: ['words before', 'words after', 'last words'],
      not: [LINE_OF_BASE64, 'M1234567890ABCDEFGHIJ'],
    });
  });

  it('keeps the beginning of a very long part in HTML', async () => {
    const html = `<p>first words</p>${'<p>word</p>'.repeat(2_500_000)}`;
    await expectFound(multipart('alternative', part('text/html', html)), 'a.eml', { found: ['first words'] });
  });

  it('that is attached to itself a hundred times is read to a certain depth', async () => {
    let mail = 'Subject: innermost\r\n\r\nx';
    for (let depth = 0; depth < 30; depth++)
      mail = lines(
        `Subject: depth${depth}`,
        `Content-Type: multipart/mixed; boundary=b${depth}`,
        '',
        `--b${depth}`,
        'Content-Type: message/rfc822',
        '',
        mail,
        `--b${depth}--`,
      );
    await expectFound(`MIME-Version: 1.0\r\n${mail}`, 'a.eml', {
      found: ['depth29', 'depth24'],
      not: ['innermost', 'depth20'],
    });
  });
});

describe('a mailbox', () => {
  const from = 'From m@example.test Mon May  6 10:00:00 2024\n';
  const message = (subject: string, body: string) =>
    `${from}From: Margit <m@example.test>\nSubject: ${subject}\nMessage-ID: <1@x>\n\n${body}\n\n`;

  it.each(['all.mbox', 'Inbox'])('has the text of all its mails: %s', async (filename) => {
    const encoded = encodedMail.replaceAll('\r\n', '\n').replace('Breakwater', 'third');
    const file = `${message('first', 'one\n\nFrom here on')}${message('second', 'two\n>From quoted')}${from}${encoded}`;
    expect(await typeOf(file, filename)).toBe('application/mbox');
    await expectFound(file, filename, {
      found: ['first', 'one From here on', 'second', 'two', 'third', 'zephyr words'],
      not: [LINE_OF_BASE64, 'Mon May'],
    });
  });

  it('is read where one of its mails is broken', async () => {
    const nested = Array.from(
      { length: 100 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
    ).join('');
    const file = `${message('first', 'one')}${from}Subject: broken\n${nested}\n\n${message('last', 'two')}`;
    const [text] = await pagesOf(file, 'all.mbox');
    for (const word of ['first', 'one', 'last', 'two']) expect(text).toContain(word);
  });
});

describe('a calendar or a card', () => {
  it('is found by words over the end of a line', async () => {
    const calendar = lines(
      'BEGIN:VCALENDAR',
      'DESCRIPTION:Please bring the cont',
      ' ract\\nand a pen',
      'END:VCALENDAR',
    );
    await expectFound(calendar, 'a.ics', { found: ['the contract and a pen'] });
    await expectFound(lines('BEGIN:VCARD', 'FN:Margit Zeph', '\tyr', 'END:VCARD'), 'a.vcf', {
      found: ['Margit Zephyr'],
    });
  });

  it('is read across the pieces in which it is decoded', async () => {
    const filler = 'x'.repeat(64 * 1024 - 16 - 5 - 2);
    const calendar = `BEGIN:VCALENDAR\n${filler}\ncont\n ract`;
    for (let shift = 0; shift < 8; shift++)
      await expectFound(calendar.replace('x', 'x'.repeat(shift + 1)), 'a.ics', { found: ['contract'] });
  });
});
