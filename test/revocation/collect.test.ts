import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CertificateRevoked, ValidationIncomplete } from '../../src/revocation/answer.ts';
import { collectValidationData } from '../../src/revocation/collect.ts';
import { isRevocable } from '../../src/revocation/published.ts';
import { type Certificate, readCertificates } from '../../src/verify/certificate.js';
import { openRevocation, type TestRevocation } from '../support/revocation/authority.ts';
import { openssl } from '../support/time-stamps/certificates.ts';

const MINUTE = 60_000;

let revocation: TestRevocation;

beforeAll(async () => {
  revocation = await openRevocation();
});
beforeEach(() => revocation.reset());
afterAll(() => revocation.close());

type Options = Partial<Parameters<typeof collectValidationData>[0]>;

/** Collects for the seal and its time-stamp, which are a minute old. */
function collect(options: Options = {}) {
  const { certificateOf, roots } = revocation;
  return collectValidationData({
    certificates: [certificateOf('signer'), certificateOf('tsa')],
    candidates: [certificateOf('issuing'), ...roots],
    after: new Date(Date.now() - MINUTE),
    now: new Date(),
    ...options,
  });
}

/** What keeps the data from being complete. */
async function problemOf(options: Options = {}): Promise<string> {
  const error = await collect(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ValidationIncomplete);
  return (error as Error).message;
}

/** Without the CRL that would replace an OCSP response of the issuer of the seal. */
function withoutCrl() {
  revocation.answers.set('/issuing.crl', () => 404);
}

describe('validation data', () => {
  it('has the certificates of both chains, and an answer for each that is no root', async () => {
    const { certificates, ocsp, crls } = await collect();
    const { certificateOf, requests } = revocation;
    expect(certificates).toEqual(
      (['signer', 'tsa', 'issuing', 'root'] as const).map((name) => certificateOf(name).der),
    );
    expect([ocsp.length, crls.length]).toEqual([2, 1]);
    expect(requests).toEqual(['/issuing.ocsp', '/root.ocsp', '/root.crl']);
  });

  it('may have an older list about an issuer, which signed nothing of the file', async () => {
    const old = revocation.crlOf('root', new Date(Date.now() - 60 * MINUTE));
    revocation.answers.set('/root.crl', () => old);
    const { crls } = await collect();
    expect(crls.map((each) => old.equals(each))).toEqual([true]);
  });

  it('has a CRL where no OCSP response can be had', async () => {
    revocation.answers.set('/issuing.ocsp', () => 500);
    const { ocsp, crls } = await collect();
    expect([ocsp.length, crls.length]).toEqual([1, 2]);
  });

  it('has a response that the issuer itself signed', async () => {
    const response = revocation.ocspOf('signer', { signer: 'issuing' });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect((await collect()).ocsp[0]).toEqual(response);
  });

  it('has an answer about a responder that can be revoked', async () => {
    const response = revocation.ocspOf('signer', { signer: 'revocable-responder' });
    revocation.answers.set('/issuing.ocsp', () => response);
    const { certificates, crls } = await collect();
    expect(certificates).toContainEqual(revocation.certificateOf('revocable-responder').der);
    expect(crls).toHaveLength(2);
  });

  it('has a response by a responder about whom nothing is published', async () => {
    const response = revocation.ocspOf('signer', { signer: 'silent-responder' });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect((await collect()).ocsp[0]).toEqual(response);
  });
});

describe('a revoked certificate', () => {
  it('may be that of a responder', async () => {
    const response = revocation.ocspOf('signer', { signer: 'revocable-responder' });
    revocation.answers.set('/issuing.ocsp', () => response);
    revocation.revoke('revocable-responder');
    await expect(collect()).rejects.toThrow('the certificate CN=Revocable was revoked');
  });

  it.each(['signer', 'tsa', 'issuing'] as const)('ends the collection: %s', async (name) => {
    revocation.revoke(name);
    const error = await collect().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CertificateRevoked);
    const { subject, revokedAt } = error as CertificateRevoked;
    expect(subject).toBe(revocation.certificateOf(name).subject);
    expect(Math.abs(Date.now() - Number(revokedAt))).toBeLessThan(MINUTE);
  });

  it('is found in a CRL', async () => {
    revocation.revoke('signer');
    revocation.answers.set('/issuing.ocsp', () => 500);
    await expect(collect()).rejects.toThrow(CertificateRevoked);
  });

  it('is not believed of a stranger', async () => {
    revocation.revoke('signer');
    const response = revocation.ocspOf('signer', { signer: 'stranger' });
    revocation.answers.set('/issuing.ocsp', () => response);
    withoutCrl();
    expect(await problemOf()).toContain('signed by nobody whom the issuer named');
  });
});

describe('an OCSP response is not accepted', () => {
  beforeEach(withoutCrl);

  it('by a stranger with a certificate of the same issuer', async () => {
    const response = revocation.ocspOf('signer', { signer: 'stranger' });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf()).toContain('signed by nobody whom the issuer named');
  });

  it('by the responder of another authority', async () => {
    const response = revocation.ocspOf('signer', { signer: 'root-responder' });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf()).toContain('signed by nobody whom the issuer named');
  });

  it('about another certificate', async () => {
    const response = revocation.ocspOf('stranger');
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf()).toContain('answered about another certificate');
  });

  it('after its end', async () => {
    const response = revocation.ocspOf('signer', { minutes: 1 });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf({ now: new Date(Date.now() + 2 * MINUTE) })).toContain('its answer ended at');
  });

  it('from before the time-stamp', async () => {
    expect(await problemOf({ after: new Date(Date.now() + MINUTE) })).toContain('older than the signature');
  });

  it('of a list from before the time-stamp', async () => {
    const old = revocation.crlOf('issuing', new Date(Date.now() - 60 * MINUTE));
    revocation.answers.set('/issuing.ocsp', () => 500).set('/issuing.crl', () => old);
    expect(await problemOf()).toContain('older than the signature');
  });

  it('from the future', async () => {
    const now = new Date(Date.now() - 10 * MINUTE);
    const response = revocation.ocspOf('signer', { signer: 'issuing' });
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf({ after: new Date(0), now })).toContain('in the future');
  });

  it('with a byte changed', async () => {
    const response = Buffer.from(revocation.ocspOf('signer'));
    const at = response.indexOf(Buffer.from('2b0601050507300101', 'hex')) + 60;
    response[at] = (response[at] as number) ^ 1;
    revocation.answers.set('/issuing.ocsp', () => response);
    expect(await problemOf()).toContain('Whether O=Harbour, CN=Seal is revoked is not known');
  });

  it.each([
    ['a refusal', Buffer.from('30030a0106', 'hex'), 'refused the request with status 6'],
    ['no DER', Buffer.from('<html>'), 'DER'],
    ['a status of HTTP', 500, 'answered with status 500'],
    ['a redirect', 302, 'fetch failed'],
    ['more than 64 KiB', Buffer.alloc(65_537, 0x30), 'answered with more than 65536 bytes'],
  ])('that is %s', async (_, answer, problem) => {
    revocation.answers.set('/issuing.ocsp', () => answer);
    expect(await problemOf()).toContain(problem);
  });

  it('that does not come', async () => {
    revocation.answers.set('/issuing.ocsp', () => 'NONE');
    expect(await problemOf({ timeout: 300 })).toContain('no answer in time');
  });

  it('of a certificate that the authority does not know', async () => {
    revocation.forget('signer');
    expect(await problemOf()).toContain('does not know the certificate');
  });
});

describe('a CRL is not accepted', () => {
  beforeEach(() => {
    revocation.answers.set('/issuing.ocsp', () => 500);
  });

  it('of another authority', async () => {
    const list = revocation.crlOf('root');
    revocation.answers.set('/issuing.crl', () => list);
    expect(await problemOf()).toContain('published the list of another authority');
  });

  it('with a byte changed', async () => {
    const list = Buffer.from(revocation.crlOf('issuing'));
    const at = list.length - 5;
    list[at] = (list[at] as number) ^ 1;
    revocation.answers.set('/issuing.crl', () => list);
    expect(await problemOf()).toContain('not signed by the issuer');
  });

  it('after its end', async () => {
    const now = new Date(Date.now() + 6 * 24 * 60 * MINUTE);
    expect(await problemOf({ now })).toContain('its answer ended at');
  });

  it('of more than 10 MiB', async () => {
    revocation.answers.set('/issuing.crl', () => Buffer.alloc(10 * 2 ** 20 + 1, 0x30));
    expect(await problemOf()).toContain('answered with more than 10485760 bytes');
  });
});

describe('an issuer that is nowhere else is fetched', () => {
  const publish = (answer: Uint8Array | number) => revocation.answers.set('/issuing.cer', () => answer);
  const collectWithout = () => collect({ candidates: revocation.roots });
  const problem = () => problemOf({ candidates: revocation.roots });
  const messageOf = (...names: string[]) =>
    openssl(
      revocation.folder,
      `crl2pkcs7 -nocrl ${names.map((name) => `-certfile ${name}.pem`).join(' ')} -outform DER`,
    );

  it('as a certificate', async () => {
    const { der } = revocation.certificateOf('issuing');
    publish(der);
    const { certificates, ocsp, crls } = await collectWithout();
    expect(certificates).toContainEqual(der);
    expect([certificates.length, ocsp.length, crls.length]).toEqual([4, 2, 1]);
    expect(revocation.requests.filter((path) => path === '/issuing.cer')).toHaveLength(1);
  });

  it('as one of several in a CMS message', async () => {
    publish(messageOf('root', 'issuing'));
    expect((await collectWithout()).certificates).toContainEqual(revocation.certificateOf('issuing').der);
  });

  it.each([
    ['a certificate that did not issue it', () => revocation.certificateOf('root').der],
    ['a message without it', () => messageOf('root', 'tsa')],
  ])('but not %s', async (_, answer) => {
    publish(answer());
    expect(await problem()).toContain('published no certificate that it was issued with');
  });

  it('but not an authority of that name with another key', async () => {
    const other = await openRevocation();
    publish(other.certificateOf('issuing').der);
    await other.close();
    expect(await problem()).toContain('published no certificate that it was issued with');
  });

  it.each([
    ['no DER', Buffer.from('<html>'), 'DER'],
    ['a status of HTTP', 404, 'answered with status 404'],
    ['a redirect', 302, 'fetch failed'],
    ['more than 64 KiB', Buffer.alloc(65_537, 0x30), 'answered with more than 65536 bytes'],
  ])('but not from %s', async (_, answer, reason) => {
    publish(answer);
    expect(await problem()).toMatch(/^The issuer of O=Harbour, CN=Seal is not known: 127\.0\.0\.1:/);
    expect(await problem()).toContain(reason);
  });
});

describe('a certificate can be revoked', () => {
  /** A certificate with an extension that is not as the standard has it. */
  function garbled() {
    const { folder } = revocation;
    writeFileSync(join(folder, 'garbled.cnf'), 'authorityInfoAccess = DER:0500');
    openssl(
      folder,
      'x509 -req -in stranger.csr -CA issuing.pem -CAkey issuing.key -CAcreateserial -days 10 -extfile garbled.cnf -out garbled.pem',
    );
    return readCertificates(readFileSync(join(folder, 'garbled.pem'), 'utf8'))[0] as Certificate;
  }

  it('if its authority publishes answers, and it can be read', () => {
    const { certificateOf } = revocation;
    expect(
      (['signer', 'issuing', 'stranger', 'root'] as const).map((name) => isRevocable(certificateOf(name))),
    ).toEqual([...[true, true, false, false]]);
    expect(isRevocable(garbled())).toBe(false);
  });
});

describe('a chain is not complete', () => {
  it('without an issuer', async () => {
    const certificates = [revocation.certificateOf('tsa')];
    expect(await problemOf({ certificates, candidates: [] })).toBe(
      'The issuer of O=Harbour, CN=Clock is not known: no address of its certificate is published',
    );
  });

  it('where an authority publishes nothing about revocation', async () => {
    const certificates = [revocation.certificateOf('stranger')];
    expect(await problemOf({ certificates })).toContain('its authority publishes nothing about revocation');
  });
});
