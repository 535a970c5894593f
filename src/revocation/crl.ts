import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { wholeElement } from '../lib/der.js';
import { toHex } from '../lib/text/hex.ts';
import type { Certificate } from '../verify/certificate.js';
import { CertificateRevoked, isSignedWith, type Question, requireFresh } from './answer.ts';
import { parseCertificate } from './published.ts';

const KEY_USAGE = '2.5.29.15';

/** In the first octet of the bits of KeyUsage. */
const CRL_SIGN = 0x02;

/**
 * Checks a CertificateList in DER (RFC 5280 §6.3.3): it is signed by the issuer of the certificate and complete, does not have the
 * certificate, is newer than the signature and in force. Lists with a critical extension are refused: they are about a part of
 * the certificates alone. Throws CertificateRevoked, and Error for any other list.
 */
export async function checkCrl(der: Uint8Array, question: Question): Promise<void> {
  wholeElement(der);
  const { certificate, issuer } = question;
  const list = pki.CertificateRevocationList.fromBER(Uint8Array.from(der).buffer);
  if (toHex(new Uint8Array(list.issuer.toSchema().toBER())) !== certificate.names.issuer)
    throw new Error('published the list of another authority');
  if (!maySignLists(issuer) || !(await isListOf(issuer, list)))
    throw new Error('published a list that is not signed by the issuer');
  if (list.crlExtensions?.extensions.some(({ critical }) => critical))
    throw new Error('published a list of a part of the certificates');
  if (!list.nextUpdate) throw new Error('published a list without an end');
  const serial = withoutZeros(certificate.serial);
  const entry = list.revokedCertificates?.find(
    ({ userCertificate }) =>
      withoutZeros(toHex(new Uint8Array(userCertificate.valueBlock.valueHexView))) === serial,
  );
  if (entry) throw new CertificateRevoked(certificate, entry.revocationDate.value);
  requireFresh(list.thisUpdate.value, list.nextUpdate.value, question);
}

/** A number in hex, however many zeros it begins with. */
const withoutZeros = (serial: string): string => serial.replace(/^(00)+/, '');

const isListOf = (issuer: Certificate, list: pki.CertificateRevocationList): Promise<boolean> =>
  isSignedWith(
    issuer,
    list.tbsView,
    list.signatureAlgorithm.toSchema().toBER(),
    list.signatureValue.valueBlock.valueHexView,
  );

/** Without the extension a key is for any use (RFC 5280 §4.2.1.3). */
function maySignLists({ der }: Certificate): boolean {
  const usage = parseCertificate(der).extensions?.find(({ extnID }) => extnID === KEY_USAGE);
  if (!usage) return true;
  const { result } = asn1.fromBER(usage.extnValue.valueBlock.valueHexView);
  const bits = (result as asn1.BitString).valueBlock.valueHexView;
  return ((bits[0] ?? 0) & CRL_SIGN) !== 0;
}
