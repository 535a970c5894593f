import { generateKeyPairSync, webcrypto, X509Certificate } from 'node:crypto';
import { ContentInfo, SignedData } from 'pkijs';
import { describe, expect, it } from 'vitest';
import { readCertificate, requireValid, SealUnusable } from '../../../src/pdf/seal/certificate.ts';
import { signDetached } from '../../../src/pdf/seal/cms.ts';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';
import { testCertificate } from './job.ts';

const pemOf = (der: Uint8Array) => new X509Certificate(der).toString();

async function own() {
  const { chain, key } = await testCertificate();
  return {
    certificate: pemOf(chain[0] as Uint8Array),
    key: key.export({ format: 'pem', type: 'pkcs8' }) as string,
    locked: key.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'open' }) as string,
  };
}

describe('a certificate of the operator', () => {
  it('is read with its key, encrypted or not, and its chain', async () => {
    const { certificate, key, locked } = await own();
    const other = pemOf((await selfSigned('Root')).chain[0] as Uint8Array);
    expect(readCertificate(certificate, key).chain).toHaveLength(1);
    expect(readCertificate(certificate + other, locked, 'open').chain).toHaveLength(2);
  });

  it('is refused with one line if it cannot be used', async () => {
    const { certificate, key, locked } = await own();
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const strange = stranger.export({ format: 'pem', type: 'pkcs8' }) as string;
    const refusals: [string, string, string | undefined, string][] = [
      ['', key, undefined, 'no PEM block CERTIFICATE'],
      [certificate.replace('MII', 'AAA'), key, undefined, 'the certificate is not readable'],
      [certificate, 'nothing', undefined, 'the key is not readable'],
      [certificate, locked, undefined, 'the key is not readable'],
      [certificate, locked, 'wrong', 'the key is not readable'],
      [certificate, strange, undefined, 'the key does not belong to the certificate'],
    ];
    for (const [cert, pem, passphrase, text] of refusals) {
      const read = () => readCertificate(cert, pem, passphrase);
      expect(read).toThrow(SealUnusable);
      expect(read).toThrow(text);
    }
  });

  it('is valid within its period only', async () => {
    const seal = await testCertificate();
    requireValid(seal);
    expect(() => requireValid(seal, new Date('2001-01-01'))).toThrow('is not valid before');
    expect(() => requireValid(seal, new Date('2101-01-01'))).toThrow('the certificate expired on');
  });

  it('creates signatures that another implementation verifies', async () => {
    const seal = await testCertificate();
    const digest = new Uint8Array(await webcrypto.subtle.digest('SHA-256', Buffer.from('hello')));
    const message = ContentInfo.fromBER((await signDetached(digest, seal)).encode());
    const signed = new SignedData({ schema: message.content });
    const verify = (text: string) =>
      signed.verify({ signer: 0, data: Uint8Array.from(Buffer.from(text)).buffer });
    expect(await verify('hello')).toBe(true);
    await expect(verify('hallo')).rejects.toThrow();
  });
});
