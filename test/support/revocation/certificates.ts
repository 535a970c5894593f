import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../../../src/lib/time.ts';
import { openssl } from '../time-stamps/certificates.ts';

/** An authority with a database of what it issued (`openssl ca`). */
const authority = (name: string) => `
[${name}_ca]
database = ./${name}.txt
new_certs_dir = .
certificate = ./${name}.pem
private_key = ./${name}.key
rand_serial = yes
default_md = sha256
default_days = 10
default_crl_days = 5
unique_subject = no
policy = policy
`;

const config = (url: string) => `
[req]
distinguished_name = dn
[dn]
[policy]
organizationName = optional
commonName = supplied
${['root', 'issuing'].map(authority).join('')}
[root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
[issuing]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
crlDistributionPoints = URI:${url}root.crl
[signer]
keyUsage = critical,digitalSignature,nonRepudiation
authorityInfoAccess = OCSP;URI:${url}issuing.ocsp, caIssuers;URI:${url}issuing.cer
crlDistributionPoints = URI:${url}issuing.crl
[tsa]
extendedKeyUsage = critical,timeStamping
authorityInfoAccess = OCSP;URI:${url}root.ocsp
[responder]
keyUsage = critical,digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
[revocable_responder]
extendedKeyUsage = OCSPSigning
crlDistributionPoints = URI:${url}issuing.crl
[silent_responder]
extendedKeyUsage = OCSPSigning
[general]
keyUsage = critical,digitalSignature
[ts]
default_tsa = t
[t]
serial = ./serial
signer_cert = ./tsa.pem
certs = ./root.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`;

/** Each certificate: its name, its authority, its section in the configuration, and its subject. */
const ISSUED = [
  ['issuing', 'root', 'issuing', '/O=Harbour/CN=Issuing'],
  ['tsa', 'root', 'tsa', '/O=Harbour/CN=Clock'],
  ['root-responder', 'root', 'responder', '/CN=Responder'],
  ['signer', 'issuing', 'signer', '/O=Harbour/CN=Seal'],
  ['issuing-responder', 'issuing', 'responder', '/CN=Responder'],
  ['revocable-responder', 'issuing', 'revocable_responder', '/CN=Revocable'],
  ['silent-responder', 'issuing', 'silent_responder', '/CN=Silent'],
  ['stranger', 'issuing', 'general', '/CN=Stranger'],
] as const;

/** Certificates that an authority of the test issued. */
export type IssuedName = (typeof ISSUED)[number][0];

/** The authority that issued a certificate. */
export const issuerOf = (name: IssuedName): 'root' | 'issuing' =>
  ISSUED.find(([each]) => each === name)?.[1] ?? 'root';

/**
 * A folder with a root, an authority under it that issued the certificate of a seal, a time-stamping authority under the root,
 * and responders of both; `url`: where their OCSP responses and CRLs are published.
 */
export function makeRevocableCertificates(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'revocation-'));
  writeFileSync(join(folder, 'ca.cnf'), config(url));
  writeFileSync(join(folder, 'serial'), '01');
  for (const name of ['root', 'issuing']) writeFileSync(join(folder, `${name}.txt`), '');
  const request = (name: string, key: string, subject: string) =>
    openssl(
      folder,
      `req -newkey ${key} -nodes -keyout ${name}.key -out ${name}.csr -subj ${subject} -config ca.cnf`,
    );
  const issue = (name: string, issuer: string, section: string, option = '') =>
    openssl(
      folder,
      `ca -batch -notext -config ca.cnf -name ${issuer}_ca -extensions ${section} -startdate ${yesterday()} -in ${name}.csr -out ${name}.pem${option}`,
    );
  request('root', 'rsa:2048', '/CN=Root');
  issue('root', 'root', 'root', ' -selfsign');
  for (const [name, issuer, section, subject] of ISSUED) {
    request(name, 'ec -pkeyopt ec_paramgen_curve:prime256v1', subject);
    issue(name, issuer, section);
  }
  return folder;
}

/** So that a time-stamp may be older than the certificates of a test. */
const yesterday = (): string => `${new Date(Date.now() - DAY).toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`;
