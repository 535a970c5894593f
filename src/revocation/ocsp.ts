import { createHash } from 'node:crypto';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import { wholeElement } from '../lib/der.js';
import { type Certificate, issuerOf, isValidAt, readCertificate } from '../verify/certificate.js';
import { nodeSuite } from '../verify/node-suite.ts';
import { CertificateRevoked, isSignedWith, type Question, requireFresh } from './answer.ts';
import { parseCertificate } from './published.ts';

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const SHA1 = '1.3.14.3.2.26';

/** id-kp-OCSPSigning in DER, in hex, and id-pkix-ocsp-nocheck (RFC 6960 §4.2.2.2). */
const OCSP_SIGNING = '2b06010505070309';
const NO_CHECK = '1.3.6.1.5.5.7.48.1.5';

/** Tags of CertStatus (RFC 6960 §4.2.1). */
const [GOOD, REVOKED] = [0, 1];

const sha1 = (bytes: Uint8Array) =>
  new asn1.OctetString({
    valueHex: Uint8Array.from(createHash('sha1').update(bytes).digest()).buffer,
  });

/** A certificate by its issuer and number (RFC 6960 §4.1.1); all responders know SHA-1 (RFC 5019 §2.1.1). */
function certificateId({ certificate, issuer }: Pick<Question, 'certificate' | 'issuer'>): pki.CertID {
  const authority = parseCertificate(issuer.der);
  return new pki.CertID({
    hashAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: SHA1, algorithmParams: new asn1.Null() }),
    issuerNameHash: sha1(Buffer.from(issuer.names.subject, 'hex')),
    issuerKeyHash: sha1(authority.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView),
    serialNumber: parseCertificate(certificate.der).serialNumber,
  });
}

/** OCSPRequest in DER (RFC 6960 §4.1.1), without a nonce: the time of the answer says how new it is. */
export function ocspRequest(question: Pick<Question, 'certificate' | 'issuer'>): Uint8Array<ArrayBuffer> {
  const request = new pki.Request({ reqCert: certificateId(question) });
  const tbsRequest = new pki.TBSRequest({ requestList: [request] });
  return new Uint8Array(new pki.OCSPRequest({ tbsRequest }).toSchema(true).toBER());
}

/**
 * Checks an OCSPResponse in DER (RFC 6960 §3.2): it is about this certificate, says that it is good, is newer than the signature
 * and in force, and is signed by the issuer or a responder that the issuer delegated. Returns the responder if its own certificate
 * can be revoked. Throws CertificateRevoked, and Error for any other response.
 */
export async function checkOcspResponse(
  der: Uint8Array,
  question: Question,
): Promise<Certificate | undefined> {
  const response = basicResponse(der);
  const responder = await responderOf(response, question);
  const [answer, ...others] = response.tbsResponseData.responses;
  if (!answer || others.length > 0) throw new Error('did not give one answer');
  if (!answer.certID.isEqual(certificateId(question))) throw new Error('answered about another certificate');
  const { tagNumber } = answer.certStatus.idBlock;
  if (tagNumber === REVOKED)
    throw new CertificateRevoked(question.certificate, revocationTime(answer.certStatus));
  if (tagNumber !== GOOD) throw new Error('does not know the certificate');
  requireFresh(answer.thisUpdate, answer.nextUpdate, question);
  return responder;
}

function basicResponse(der: Uint8Array): pki.BasicOCSPResponse {
  wholeElement(der);
  const { responseStatus, responseBytes } = pki.OCSPResponse.fromBER(Uint8Array.from(der).buffer);
  const status = responseStatus.valueBlock.valueDec;
  if (status !== 0 || !responseBytes) throw new Error(`refused the request with status ${status}`);
  if (responseBytes.responseType !== BASIC_RESPONSE) throw new Error('gave another type of response');
  return pki.BasicOCSPResponse.fromBER(
    Uint8Array.from(responseBytes.response.valueBlock.valueHexView).buffer,
  );
}

/** Whoever signed a response: undefined for the issuer, or a responder that is never checked for revocation. */
async function responderOf(
  { tbsResponseData, signatureAlgorithm, signature, certs = [] }: pki.BasicOCSPResponse,
  { issuer, now }: Question,
): Promise<Certificate | undefined> {
  const algorithm = signatureAlgorithm.toSchema().toBER();
  const isBy = (each: Certificate) =>
    isSignedWith(each, tbsResponseData.tbsView, algorithm, signature.valueBlock.valueHexView);
  if (await isBy(issuer)) return undefined;
  for (const parsed of certs) {
    const each = readCertificate(new Uint8Array(parsed.toSchema().toBER()));
    const isDelegated = each.usages?.purposes.includes(OCSP_SIGNING) && isValidAt(each, now);
    if (!isDelegated || !(await issuerOf(nodeSuite, each, [issuer])) || !(await isBy(each))) continue;
    return parsed.extensions?.some(({ extnID }) => extnID === NO_CHECK) ? undefined : each;
  }
  throw new Error('its answer is signed by nobody whom the issuer named for that');
}

/** RevokedInfo (RFC 6960 §4.2.1). */
function revocationTime(status: asn1.AsnType): Date {
  const [time] = (status as asn1.Constructed).valueBlock.value;
  return (time as asn1.GeneralizedTime).toDate();
}
