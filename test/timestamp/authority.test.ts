import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, SECOND } from '../../src/lib/time.ts';
import { type AuthoritySettings, timeStamper } from '../../src/timestamp/authority.ts';
import { fingerprint } from '../../src/verify/certificate.js';
import { nodeSuite } from '../../src/verify/node-suite.ts';
import { checkToken, StampBroken } from '../../src/verify/time-stamp.js';
import { openAuthority, type TestAuthority } from '../support/time-stamps/authority.ts';
import { openssl } from '../support/time-stamps/certificates.ts';
import { signToken } from '../support/time-stamps/token.ts';

const digest = createHash('sha256').update('Charter party').digest();

let authority: TestAuthority;
let normal: TestAuthority['answer'];

beforeAll(async () => {
  authority = await openAuthority();
  normal = authority.answer;
});

afterAll(() => authority.close());

beforeEach(() => {
  authority.answer = normal;
});

const stamp = (settings: Partial<AuthoritySettings> = {}) =>
  timeStamper({ urls: [authority.url], roots: authority.roots, ...settings })(digest);

describe('a time-stamp', () => {
  it('is given by an authority, and says when and by whom', async () => {
    const before = Date.now();
    const { time, certificate, isTrusted } = await stamp();
    expect(time.getTime()).toBeGreaterThan(before - SECOND - 1);
    expect(time.getTime()).toBeLessThanOrEqual(Date.now());
    expect(certificate.subject).toBe('O=Harbour, CN=Clock');
    expect(isTrusted).toBe(true);
  });

  it('is accepted by openssl for its digest, and for no other one', async () => {
    const { token } = await stamp();
    writeFileSync(join(authority.folder, 'token.der'), token);
    const verify = (hex: string) =>
      openssl(
        authority.folder,
        `ts -verify -digest ${hex} -in token.der -token_in -CAfile root.pem`,
      ).toString();
    expect(verify(digest.toString('hex'))).toContain('Verification: OK');
    expect(() => verify(createHash('sha256').update('Charter part').digest('hex'))).toThrow(/mismatch/);
  });

  it('is given without roots by an authority that nobody vouches for', async () => {
    expect((await stamp({ roots: [] })).isTrusted).toBe(false);
  });

  it('is asked for with the user and the password of the address', async () => {
    const url = authority.url.replace('//', '//harbour:p%40ss@');
    await stamp({ urls: [url] });
    expect(authority.requests.at(-1)?.authorization).toBe(`Basic ${btoa('harbour:p@ss')}`);
  });

  it('comes from the next authority where the first fails', async () => {
    const { time } = await stamp({ urls: ['http://127.0.0.1:9/', authority.url] });
    expect(time).toBeInstanceOf(Date);
  });
});

describe('an answer is refused', () => {
  const other = createHash('sha256').update('another').digest();
  const faults: [string, () => void, RegExp][] = [
    ['with an error', () => (authority.answer = () => 500), /status 500/],
    ['with a redirect', () => (authority.answer = () => 302), /fetch failed|redirect/],
    ['that is empty', () => (authority.answer = () => Buffer.alloc(0)), /DER: truncated/],
    ['that is no DER', () => (authority.answer = () => Buffer.from('<html>')), /DER/],
    [
      'that refuses',
      () => (authority.answer = () => Buffer.from('30053003020102', 'hex')),
      /refused the request with status 2/,
    ],
    [
      'without a token',
      () => (authority.answer = () => Buffer.from('30053003020100', 'hex')),
      /without a token/,
    ],
    ['of more than 64 KB', () => (authority.answer = () => Buffer.alloc(70_000)), /more than 65536 bytes/],
    [
      'to another request',
      () => authority.answerWith({ nonce: randomBytes(8).fill(0x41, 0, 1) }),
      /another request/,
    ],
    ['over another digest', () => authority.answerWith({ digest: other }), /over another digest/],
    [
      'over another kind of digest',
      () => authority.answerWith({ algorithm: '608648016503040202' }),
      /another kind of digest/,
    ],
    [
      'over another type of content',
      () => authority.answerWith({ type: '1.2.840.113549.1.7.1' }),
      /another type of content/,
    ],
    [
      'with a clock a day ahead',
      () => authority.answerWith({ time: new Date(Date.now() + DAY) }),
      /its clock says/,
    ],
    [
      'with an expired certificate',
      () => authority.answerWith({ time: new Date(Date.now() + 20 * DAY) }),
      /while its certificate was not valid/,
    ],
    [
      'with a certificate for other uses',
      () => authority.answerWith({}, 'general'),
      /not for time-stamps alone/,
    ],
    [
      'with a certificate for several uses',
      () => authority.answerWith({}, 'several'),
      /not for time-stamps alone/,
    ],
    [
      'with a use that is not critical',
      () => authority.answerWith({}, 'uncritical'),
      /not for time-stamps alone/,
    ],
    [
      'with one bit changed',
      () => (authority.answer = tampered),
      /was not signed with the key|cannot be read/,
    ],
  ];
  const tampered = (request: Buffer) => {
    const reply = Buffer.from(normal(request) as Uint8Array);
    reply[reply.length - 20] = (reply.at(-20) as number) ^ 1;
    return reply;
  };

  it.each(faults)('%s', async (_, arrange, problem) => {
    arrange();
    await expect(stamp()).rejects.toThrow(problem);
  });

  it('that does not come in time', async () => {
    authority.answer = () => 'NONE';
    const requestsBefore = authority.requests.length;
    const slow = timeStamper({ urls: [authority.url], roots: [], timeout: 100 });
    await expect(slow(digest)).rejects.toThrow(/no answer in time/);
    expect(authority.requests).toHaveLength(requestsBefore + 2);
    await expect(slow(digest)).rejects.toThrow(/no answer within the last minute/);
    expect(authority.requests).toHaveLength(requestsBefore + 2);
  });

  it('whose certificate is under no root that is trusted', async () => {
    const stranger = await openAuthority();
    await expect(stamp({ roots: stranger.roots })).rejects.toThrow(/not under a root/);
    await stranger.close();
  });
});

describe('a token', () => {
  it('with any byte changed is refused, or says the same', { timeout: 60_000 }, async () => {
    const token = signToken(
      authority.folder,
      { digest, nonce: Buffer.alloc(8, 0x41), time: new Date() },
      'tsa',
    );
    const verdictOf = async (bytes: Uint8Array): Promise<string> => {
      try {
        const { time, certificate } = await checkToken(nodeSuite, bytes, digest, authority.roots);
        return `${time.toISOString()} ${await fingerprint(nodeSuite, certificate)}`;
      } catch (error) {
        return error instanceof StampBroken ? 'refused' : String(error);
      }
    };
    const verdicts: string[] = [];
    for (const at of token.keys())
      verdicts.push(await verdictOf(token.map((byte, index) => (index === at ? byte ^ 1 : byte))));
    expect(new Set(verdicts)).toEqual(new Set(['refused', await verdictOf(token)]));
    expect(verdicts.filter((verdict) => verdict === 'refused').length).toBeGreaterThan(500);
  });
});
