import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import type { Certificate } from '../verify/certificate.js';

/** id-pe-authorityInfoAccess, id-ad-ocsp and id-ad-caIssuers (RFC 5280 §4.2.2.1), id-ce-cRLDistributionPoints (§4.2.1.13). */
const INFO_ACCESS = '1.3.6.1.5.5.7.1.1';
const OCSP = '1.3.6.1.5.5.7.48.1';
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2';
const DISTRIBUTION_POINTS = '2.5.29.31';

/** The type of a GeneralName that is a URI (RFC 5280 §4.2.1.6). */
const URI = 6;

/**
 * Where the authority of a certificate publishes whether it is revoked, and its own certificate (`issuers`): http and https
 * addresses, in the order of the certificate.
 */
export interface AuthorityAddresses {
  ocsp: URL[];
  crls: URL[];
  issuers: URL[];
}

/** Reads a certificate in DER. Throws for one that cannot be read. */
export const parseCertificate = (der: Uint8Array): pki.Certificate =>
  pki.Certificate.fromBER(Uint8Array.from(der).buffer);

export const authorityAddresses = (der: Uint8Array): AuthorityAddresses => {
  const certificate = parseCertificate(der);
  const access = extensionOf(certificate, INFO_ACCESS, pki.InfoAccess);
  const points = extensionOf(certificate, DISTRIBUTION_POINTS, pki.CRLDistributionPoints);
  const accessBy = (method: string) =>
    addresses(
      access?.accessDescriptions
        .filter(({ accessMethod }) => accessMethod === method)
        .map(({ accessLocation }) => accessLocation),
    );
  return {
    ocsp: accessBy(OCSP),
    issuers: accessBy(CA_ISSUERS),
    // A point of another issuer, or for some reasons alone, needs more than one list (RFC 5280 §6.3.3).
    crls: addresses(
      points?.distributionPoints
        .filter(({ reasons, cRLIssuer }) => !reasons && !cRLIssuer)
        .flatMap(({ distributionPoint }) => (Array.isArray(distributionPoint) ? distributionPoint : [])),
    ),
  };
};

function extensionOf<Parsed>(
  { extensions }: pki.Certificate,
  id: string,
  Type: new (parameters: { schema: unknown }) => Parsed,
): Parsed | undefined {
  const extension = extensions?.find(({ extnID }) => extnID === id);
  if (!extension) return undefined;
  return new Type({ schema: asn1.fromBER(extension.extnValue.valueBlock.valueHexView).result });
}

const addresses = (names: pki.GeneralName[] = []): URL[] =>
  names
    .filter(({ type, value }) => type === URI && URL.canParse(value))
    .map(({ value }) => new URL(value))
    .filter(({ protocol }) => protocol === 'http:' || protocol === 'https:');

/**
 * Whether there may be answers about a certificate: it is not self-signed, and its authority publishes some. False for one whose
 * extensions cannot be read: a document is sealed with it nevertheless.
 */
export function isRevocable({ der, names }: Certificate): boolean {
  if (names.subject === names.issuer) return false;
  try {
    const { ocsp, crls } = authorityAddresses(der);
    return ocsp.length + crls.length > 0;
  } catch {
    return false;
  }
}
