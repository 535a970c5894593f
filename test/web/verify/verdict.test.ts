import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';
import { addValidationData } from '../../../src/pdf/seal/validation-update.js';
import { type TimeStamper, timeStamper } from '../../../src/timestamp/authority.ts';
import { webSuite } from '../../../src/verify/web-suite.js';
import { type ServerFacts, verdictOf } from '../../../src/web/verify/browser/verdict.js';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { testCertificate } from '../../pdf/seal/job.ts';
import { openRevocation } from '../../support/revocation/authority.ts';
import { validationData } from '../../support/revocation/validation-data.ts';
import { openAuthority, type TestAuthority } from '../../support/time-stamps/authority.ts';
import { altered, sealedText, stamped, withForeignUpdate } from '../../support/time-stamps/sealed-files.ts';

let authority: TestAuthority;
let stamper: TimeStamper;
let server: ServerFacts;

beforeAll(async () => {
  authority = await openAuthority();
  stamper = timeStamper({ urls: [authority.url], roots: authority.roots });
  const own = new X509Certificate((await testCertificate()).chain[0] as Uint8Array);
  const authorities = authority.roots.map(({ der }) => new X509Certificate(der).toString()).join('\n');
  server = {
    host: 'docs.example',
    savedOn: null,
    session: null,
    fingerprints: [own.fingerprint256],
    authorities,
  };
});
afterAll(() => authority.close());

async function check(file: Uint8Array, knows: Partial<ServerFacts> = {}) {
  const { statements, details, ...verdict } = await verdictOf(webSuite, file, { ...server, ...knows });
  const says = Object.fromEntries(statements.map(({ label, tone, text }) => [label, `${tone}: ${text}`]));
  return { ...verdict, says, details: Object.fromEntries(details) };
}

describe('what the page says of a file', () => {
  it('that is as it was sealed, by this server, before a time that an authority confirms', async () => {
    const { state, says, details } = await check(await sealedText(stamper));
    expect(state).toBe('UNCHANGED');
    expect(says).toMatchObject({
      Content: 'good: Every byte is as it was sealed.',
      Time: expect.stringMatching(
        /^good: It existed before .* UTC\. “Clock” confirms this, not only the server\.$/,
      ),
      'Sealed by': 'good: “Test seal”, with the certificate of docs.example.',
    });
    expect(details).toMatchObject({
      Level: expect.stringContaining('B-T'),
      'Signing session': 'sgs_1',
      'Last event of the signing': `42, with the hash ${'cd'.repeat(32)}`,
      'Time-stamp 1': expect.stringContaining('O=Harbour, CN=Clock, under an authority'),
    });
  });

  it('without a time-stamp: that nobody else has confirmed the time', async () => {
    const { says, details } = await check(await sealedText());
    expect(says.Time).toMatch(
      /^open: .* by the clock of the server that sealed it\. Nobody else has confirmed/,
    );
    expect(details.Level).toContain('B-B');
  });

  it('with a time-stamp that followed the seal', async () => {
    const { state, says, details } = await check(await stamped(await sealedText(), stamper));
    expect([state, says.Content]).toEqual([
      'UNCHANGED',
      'good: Every byte is as it was sealed. A time-stamp was added afterwards, and nothing else.',
    ]);
    expect(says.Time).toContain('“Clock” confirms this');
    expect(details).toHaveProperty('SHA-256 with time-stamps');
  });

  it('with validation data under a time-stamp', async () => {
    const revocation = await openRevocation();
    try {
      const data = validationData(revocation);
      const file = await stamped(addValidationData(await sealedText(stamper), data), stamper);
      const { state, says, details } = await check(file);
      expect([state, says.Content]).toEqual([
        'UNCHANGED',
        'good: Every byte is as it was sealed. Certificates and revocation data for later checks and a time-stamp were added afterwards, and nothing else.',
      ]);
      expect(details).toMatchObject({
        Level: 'PAdES B-LTA (ETSI EN 319 142-1)',
        'Certificates for later checks':
          'O=Harbour, CN=Seal; O=Harbour, CN=Issuing; CN=Root; O=Harbour, CN=Clock',
        'Answers about revocation (OCSP)': expect.stringMatching(/^2; 20\S+Z to 20\S+Z; 20\S+Z to 20\S+Z$/),
        'Revocation lists (CRL)': expect.stringMatching(/^1; 20\S+Z to 20\S+Z$/),
      });
    } finally {
      await revocation.close();
    }
  });

  it('by an authority that it does not know', async () => {
    const { says } = await check(await sealedText(stamper), { authorities: '' });
    expect(says.Time).toMatch(/^open: .*This page does not know that authority/);
  });

  it('by another certificate of the same name: that it is not that of the server', async () => {
    const forged = await sealedText(undefined, await selfSigned('Test seal'));
    const { state, says } = await check(forged);
    expect(state).toBe('UNKNOWN_SEALER');
    expect(says['Sealed by']).toMatch(
      /^open: “Test seal”\. Anyone can make a certificate with any name, and this one is not/,
    );
  });

  it('that was changed', async () => {
    const { state, title, says } = await check(altered(await sealedText(), 200));
    expect([state, title]).toEqual(['CHANGED', 'This file is not as it was sealed']);
    expect(says.Content).toMatch(/^bad: Do not rely on it/);
  });

  it('whose time-stamp alone was changed, which the seal does not cover', async () => {
    const file = await sealedText(stamper);
    const text = Buffer.from(file).toString('latin1');
    const token = text.toLowerCase().indexOf('2a864886f70d010910020e');
    const { state, says } = await check(altered(file, token + 1_000));
    expect([state, says.Time]).toEqual(['CHANGED', expect.stringMatching(/^bad: The time-stamp /)]);
  });

  it('to which another program added something: how much is as it was sealed', async () => {
    const sealed = await sealedText();
    const { state, says, sealedBytes } = await check(withForeignUpdate(sealed));
    expect([state, sealedBytes]).toEqual(['EXTENDED', sealed.length]);
    expect(says.Content).toContain(
      `Only the first ${sealed.length.toLocaleString('en-GB')} bytes are as they were sealed`,
    );
    expect(says['Sealed by']).toContain('good: “Test seal”');
  });

  it('whose code led to the page, and of another file', async () => {
    const file = await sealedText();
    const own = await check(file, { session: 'sgs_1' });
    expect([own.state, own.says.Code]).toEqual(['UNCHANGED', 'good: The code is that of this file.']);
    const other = await check(file, { session: 'sgs_2' });
    expect(other).toMatchObject({
      state: 'OTHER',
      title: 'This is another document than the one with that code',
    });
    expect(other.says.Code).toMatch(/^bad: /);
  });

  it('without a seal', async () => {
    const { state, says } = await check(pdf(pages(1)));
    expect([state, Object.keys(says)]).toEqual(['UNSEALED', ['Content']]);
  });

  it('on a page that was saved: as of when it knows the certificate', async () => {
    const { says } = await check(await sealedText(), { savedOn: '2031-03-04' });
    expect(says['Sealed by']).toBe(
      'good: “Test seal”, with the certificate of docs.example, as of 2031-03-04.',
    );
  });
});
