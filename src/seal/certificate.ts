import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { DAY } from '../lib/time.ts';

/** What documents are sealed with. */
export interface SealCertificate {
  /** DER: the certificate of the key, and behind it those that lead to its root, as far as they are known. */
  chain: Uint8Array<ArrayBuffer>[];
  key: KeyObject;
}

/** A certificate or a key that cannot seal; the message is one line for whoever can put it right. */
export class SealUnusable extends Error {}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * A certificate (PEM, with those behind it that lead to its root) and its key (PEM: PKCS #8, PKCS #1 or SEC 1).
 * Throws SealUnusable for what cannot be read, does not belong together, or is no RSA or EC key; see requireValid for
 * when it may be used.
 */
export function readCertificate(certificates: string, key: string, passphrase?: string): SealCertificate {
  const read = (certificates.match(PEM) ?? []).map((pem) =>
    orUnusable('the certificate is not readable', () => new X509Certificate(pem)),
  );
  const [own] = read;
  if (!own) throw new SealUnusable('the certificate is not readable: no PEM block CERTIFICATE in it');
  const privateKey = orUnusable('the key is not readable', () =>
    createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }),
  );
  if (!own.checkPrivateKey(privateKey)) throw new SealUnusable('the key does not belong to the certificate');
  if (!['rsa', 'ec'].includes(privateKey.asymmetricKeyType ?? ''))
    throw new SealUnusable(`a key of the kind ${privateKey.asymmetricKeyType} cannot seal; take RSA or EC`);
  return { chain: read.map(({ raw }) => Uint8Array.from(raw)), key: privateKey };
}

function orUnusable<Read>(text: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new SealUnusable(`${text}: ${(cause as Error).message}`, { cause });
  }
}

/** Throws SealUnusable when it is not valid at this time. */
export function requireValid({ chain: [own] }: SealCertificate, at = new Date()): void {
  const { validFrom, validTo } = new X509Certificate(own as Uint8Array);
  if (at < new Date(validFrom)) throw new SealUnusable(`the certificate is not valid before ${validFrom}`);
  if (at > new Date(validTo)) throw new SealUnusable(`the certificate expired on ${validTo}`);
}

const LIFE = 3_650 * DAY;
const COMMON_NAME = '2.5.4.3';
const KEY_USAGE = '2.5.29.15';

/** A new EC P-256 key with a certificate that it signs itself, valid for ten years. */
export async function selfSigned(commonName: string): Promise<SealCertificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = new pki.Certificate();
  certificate.version = 2; // X.509 v3, RFC 5280 §4.1.2.1
  certificate.serialNumber = new asn1.Integer({ valueHex: serialNumber() });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(
      new pki.AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new asn1.Utf8String({ value: commonName }),
      }),
    );
  certificate.notBefore.value = new Date(Date.now() - DAY); // so that a slow clock elsewhere takes it
  certificate.notAfter.value = new Date(Date.now() + LIFE);
  certificate.extensions = [digitalSignatureOnly()];
  await certificate.subjectPublicKeyInfo.importKey(pair.publicKey);
  await certificate.sign(pair.privateKey, 'SHA-256');
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
  return {
    chain: [new Uint8Array(certificate.toSchema(true).toBER())],
    key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
  };
}

/** Positive, of 16 bytes in its shortest form (RFC 5280 §4.1.2.2). */
function serialNumber(): ArrayBuffer {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = 0x40 | ((bytes[0] as number) & 0x3f);
  return bytes.buffer;
}

/** The bits digitalSignature and nonRepudiation (RFC 5280 §4.2.1.3), critical. */
const digitalSignatureOnly = () =>
  new pki.Extension({
    extnID: KEY_USAGE,
    critical: true,
    extnValue: new asn1.BitString({ valueHex: Uint8Array.of(0xc0).buffer, unusedBits: 6 }).toBER(),
  });
