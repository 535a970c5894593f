import { child, children, type Element, TAG, wholeElement } from '../lib/der.js';
import { type Certificate, issuerOf, readCertificate } from '../verify/certificate.js';
import { nodeSuite } from '../verify/node-suite.ts';
import { authorityAddresses } from './published.ts';
import { request, tryAt } from './request.ts';

/** Bytes of an answer. */
const MAX_CERTIFICATES = 64 * 2 ** 10;

/**
 * Fetches the certificate that another one was issued with, from the addresses that are in it (id-ad-caIssuers, RFC 5280
 * §4.2.2.1), and checks that it was. Resolves to undefined where no address has it; `problems` gets the reasons, by host.
 */
export async function fetchIssuer(
  certificate: Certificate,
  timeout: number,
  problems: string[],
): Promise<Certificate | undefined> {
  for (const url of authorityAddresses(certificate.der).issuers) {
    const issuer = await tryAt(url, problems, async () => {
      const candidates = readPublished(await request(url, MAX_CERTIFICATES, timeout));
      const published = await issuerOf(nodeSuite, certificate, candidates);
      if (!published) throw new Error('published no certificate that it was issued with');
      return published;
    });
    if (issuer) return issuer;
  }
  return undefined;
}

/** A certificate, or several in a CMS message without signers (RFC 5652 §5, RFC 5280 §4.2.2.1), in DER. */
function readPublished(der: Uint8Array): Certificate[] {
  const whole = wholeElement(der);
  return child(whole, 0).tag === TAG.oid ? certificatesOf(whole) : [readCertificate(der)];
}

function certificatesOf(contentInfo: Element): Certificate[] {
  const signedData = child(child(contentInfo, 1, TAG.context0), 0, TAG.sequence);
  const included = children(signedData).find(({ tag }) => tag === TAG.context0);
  return (included ? children(included) : [])
    .filter(({ tag }) => tag === TAG.sequence)
    .map(({ bytes }) => readCertificate(bytes));
}
