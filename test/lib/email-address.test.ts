import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldEmail, parseEmailAddress } from '../../src/lib/text/email-address.ts';
import { shownEmail } from '../../src/lib/text/shown-email.ts';

/** The pattern of the HTML standard for `<input type=email>`, as it is printed there. */
const WHATWG =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

const isAccepted = (text: string) => typeof parseEmailAddress(text) !== 'string';

describe('an e-mail address', () => {
  it.each([
    ['r&d@example.org', 'r&d@example.org'],
    ['a/b=c@example.org', 'a/b=c@example.org'],
    ['percent%40x@example.org', 'percent%40x@example.org'],
    [" !#$%&'*+/=?^_`{|}~-@example.org ", "!#$%&'*+/=?^_`{|}~-@example.org"],
    ['Info@BÜCHER.example', 'info@xn--bcher-kva.example'],
    ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
    ['info@XN--BCHER-KVA.example', 'info@xn--bcher-kva.example'],
    ['почта@президент.рф', 'почта@xn--d1abbgf6aiiy.xn--p1ai'],
    ['JU\u0308RGEN@example.org', 'jürgen@example.org'],
    ['root@localhost', 'root@localhost'],
    [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
  ])('%s is stored as %s', (text, stored) => {
    expect(isAccepted(text)).toBe(true);
    expect(foldEmail(text)).toBe(stored);
    expect(foldEmail(stored)).toBe(stored);
  });

  it.each([
    ['', 'such as name@example.com'],
    ['x', 'such as name@example.com'],
    ['@example.org', 'such as name@example.com'],
    ['a@', 'such as name@example.com'],
    ['"a b"@example.org', 'without quotes and comments'],
    ['a(comment)@example.org', 'without quotes and comments'],
    ['a@[192.0.2.1]', 'not an IP address'],
    ['a@[IPv6:2001:db8::1]', 'not an IP address'],
    ['a@192.0.2.1', 'not an IP address'],
    ['a@0x7f.1', 'valid domain'],
    ['a@example.org/evil', 'valid domain'],
    ['a@example.org:25', 'valid domain'],
    ['a@ex%61mple.org', 'valid domain'],
    ['a@-example.org', 'valid domain'],
    ['a@example..org', 'valid domain'],
    ['a@example.org.', 'valid domain'],
    ['a@xn--a.example', 'valid domain'],
    ['a@ex\u202eample.org', 'valid domain'],
    ['a@example.org\r\nBcc: b@example.org', 'other characters'],
    ['a\r\n@example.org', 'other characters'],
    ['a<b>@example.org', 'other characters'],
    ['a,b@example.org', 'other characters'],
    ['a b@example.org', 'other characters'],
    ['a\u00a0b@example.org', 'other characters'],
    ['a\u202eb@example.org', 'other characters'],
    ['a\u0000b@example.org', 'other characters'],
    ['a\ud800b@example.org', 'other characters'],
    [`${'a'.repeat(65)}@example.org`, 'at most 64 bytes before'],
    [`${'ü'.repeat(33)}@example.org`, 'at most 64 bytes before'],
    [`a@${'b'.repeat(64)}.org`, 'valid domain'],
    [`a@${'bcd.'.repeat(63)}org`, 'at most 254 bytes'],
  ])('%j is refused: %s', (text, reason) => expect(parseEmailAddress(text)).toContain(reason));

  it('is what browsers accept, of ASCII, within the lengths of SMTP, but not an IP address', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ09.-_+%&/=@[]"(<,;: \\!'), maxLength: 9 });
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const text = `${local}@${domain}`;
        fc.pre(text === text.trim() && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(domain));
        fc.pre(!/xn--/i.test(domain));
        expect(isAccepted(text)).toBe(WHATWG.test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is one and the same address in every form in which it is shown', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abzüßñ日本щяαאب9-'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(letters, (label) => {
        fc.pre(isAccepted(`a@${label}.example`));
        const stored = foldEmail(`A@${label}.example`);
        expect(stored).toMatch(/^[\x21-\x7e]+$/);
        expect(foldEmail(shownEmail(stored))).toBe(stored);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['info@bücher.example', 'info@bücher.example'],
    ['info@例え.jp', 'info@例え.jp'],
    ['почта@президент.рф', 'почта@президент.рф'],
    ['a@аррӏе.com', 'a@xn--80ak6aa92e.com'],
    ['a@gооgle.com', 'a@xn--ggle-55da.com'],
    ['a@ɡoogle.com', 'a@xn--oogle-qmc.com'],
    ['a@example.orgノx.example', 'a@example.xn--orgx-xq4c.example'],
    ['a@💩.la', 'a@xn--ls8h.la'],
  ])('%s is shown as %s: in Unicode where that cannot be mistaken', (text, shown) =>
    expect(shownEmail(foldEmail(text))).toBe(shown));
});
