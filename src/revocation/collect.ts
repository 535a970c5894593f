import { toHex } from '../lib/text/hex.ts';
import { SECOND } from '../lib/time.ts';
import { type Certificate, issuerOf } from '../verify/certificate.js';
import { nodeSuite } from '../verify/node-suite.ts';
import { type Question, ValidationIncomplete } from './answer.ts';
import { checkCrl } from './crl.ts';
import { fetchIssuer } from './issuer.ts';
import { checkOcspResponse, ocspRequest } from './ocsp.ts';
import { authorityAddresses, isRevocable } from './published.ts';
import { request, tryAt } from './request.ts';

/** Milliseconds in which an authority must have answered. */
const TIMEOUT = 10 * SECOND;

/** Bytes of an answer. */
const MAX_OCSP = 64 * 2 ** 10;
const MAX_CRL = 10 * 2 ** 20;

/** Certificates on the way to all roots: more than this is a loop, or none that an authority would make. */
const MAX_CERTIFICATES = 20;

interface ChainsToValidate {
  /** The certificates of the signer and of the authority of its time-stamp. */
  certificates: readonly Certificate[];
  /** Others that may be on the way to a root, with roots. An issuer that is not among them is fetched. */
  candidates: readonly Certificate[];
  /** When the signature existed, by its time-stamp. */
  after: Date;
  now: Date;
  /** Of each request, in ms; 10 seconds by default. */
  timeout?: number;
}

/** Certificates and answers about their revocation, each in DER. */
interface Collected {
  certificates: Uint8Array[];
  ocsp: Uint8Array[];
  crls: Uint8Array[];
}

/**
 * Collects what the chains are validated with later: their certificates, and for each that is no root an OCSP response or else a
 * CRL. Each answer is checked. Throws CertificateRevoked, and ValidationIncomplete where one cannot be had.
 */
export async function collectValidationData(chains: ChainsToValidate): Promise<Collected> {
  const { candidates, now, timeout = TIMEOUT } = chains;
  const collected: Collected = { certificates: [], ocsp: [], crls: [] };
  const pending = [...chains.certificates];
  const seen = new Set<string>();
  for (let certificate = pending.shift(); certificate; certificate = pending.shift()) {
    const key = toHex(certificate.der);
    if (seen.has(key)) continue;
    if (seen.add(key).size > MAX_CERTIFICATES)
      throw new ValidationIncomplete('There are too many certificates');
    collected.certificates.push(certificate.der);
    if (certificate.names.subject === certificate.names.issuer) continue;
    const issuer =
      (await issuerOf(nodeSuite, certificate, candidates)) ?? (await missingIssuer(certificate, timeout));
    // Lists of a root may be months old; those about the keys that signed must be newer than the signature.
    const after = chains.certificates.includes(certificate) ? chains.after : undefined;
    const responder = await ask({ certificate, issuer, after, now }, timeout, collected);
    // A responder about whom nothing is published is relied on, as its issuer chose (RFC 6960 §4.2.2.2.1).
    pending.push(issuer, ...(responder && isRevocable(responder) ? [responder] : []));
  }
  return collected;
}

/** The issuer of a certificate that is not among the candidates. */
async function missingIssuer(certificate: Certificate, timeout: number): Promise<Certificate> {
  const problems: string[] = [];
  const issuer = await fetchIssuer(certificate, timeout, problems);
  if (issuer) return issuer;
  const reason = problems.join('; ') || 'no address of its certificate is published';
  throw new ValidationIncomplete(`The issuer of ${certificate.subject} is not known: ${reason}`);
}

/** Adds the first answer that is valid. Returns the responder if its own certificate can be revoked. */
async function ask(
  question: Question,
  timeout: number,
  collected: Collected,
): Promise<Certificate | undefined> {
  const { ocsp, crls } = authorityAddresses(question.certificate.der);
  const problems: string[] = [];
  for (const url of ocsp) {
    const response = await tryAt(url, problems, async () => {
      const der = await request(url, MAX_OCSP, timeout, ocspRequest(question));
      return { der, responder: await checkOcspResponse(der, question) };
    });
    if (response) {
      collected.ocsp.push(response.der);
      return response.responder;
    }
  }
  for (const url of crls) {
    const list = await tryAt(url, problems, async () => {
      const der = await request(url, MAX_CRL, timeout);
      await checkCrl(der, question);
      return der;
    });
    if (list) {
      collected.crls.push(list);
      return undefined;
    }
  }
  const reason = problems.join('; ') || 'its authority publishes nothing about revocation';
  throw new ValidationIncomplete(
    `Whether ${question.certificate.subject} is revoked is not known: ${reason}`,
  );
}
