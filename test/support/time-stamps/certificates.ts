import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONFIG = `
[req]
distinguished_name = dn
[dn]
[root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[tsa]
extendedKeyUsage = critical,timeStamping
[uncritical]
extendedKeyUsage = timeStamping
[several]
extendedKeyUsage = critical,timeStamping,emailProtection
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

/** The certificates of a test authority, by their names; all but the root are issued under it. */
export type CertificateName = 'root' | 'tsa' | 'uncritical' | 'several' | 'general';

/** A folder with a root (root.pem), the certificates of authorities and their keys, and a configuration for `openssl ts`. */
export function makeCertificates(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tsa-'));
  writeFileSync(join(folder, 'ca.cnf'), CONFIG);
  writeFileSync(join(folder, 'serial'), '01');
  openssl(
    folder,
    'req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 10 -subj /CN=Root -config ca.cnf -extensions root',
  );
  for (const name of ['tsa', 'uncritical', 'several', 'general']) {
    openssl(
      folder,
      `req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${name}.key -out ${name}.csr -subj /O=Harbour/CN=Clock -config ca.cnf`,
    );
    openssl(
      folder,
      `x509 -req -in ${name}.csr -CA root.pem -CAkey root.key -CAcreateserial -days 10 -extfile ca.cnf -extensions ${name} -out ${name}.pem`,
    );
  }
  return folder;
}

/** Runs openssl in a folder, and returns its output. Throws with its errors. */
export const openssl = (folder: string, args: string): Buffer =>
  execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'pipe' });
