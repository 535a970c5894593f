import { createPrivateKey, webcrypto } from 'node:crypto';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { DAY } from '../../lib/time.ts';
import type { SealCertificate } from './certificate.ts';

const VALIDITY = 3_650 * DAY;
const COMMON_NAME = '2.5.4.3';
const KEY_USAGE = '2.5.29.15';

/** Creates an EC P-256 key with a self-signed certificate that is valid for ten years. */
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
  certificate.notBefore.value = new Date(Date.now() - DAY); // tolerates clocks that are behind
  certificate.notAfter.value = new Date(Date.now() + VALIDITY);
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
