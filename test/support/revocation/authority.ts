import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readCertificate as readSealCertificate } from '../../../src/pdf/seal/certificate.ts';
import { readCertificates } from '../../../src/verify/certificate.js';
import { openssl } from '../time-stamps/certificates.ts';
import { type IssuedName, issuerOf, makeRevocableCertificates } from './certificates.ts';

/** What is answered at a path: bytes, a status, or none at all. */
type Answer = Uint8Array | number | 'NONE';

type Responder = (request: Buffer) => Answer;

/**
 * Authorities that publish whether their certificates are revoked: OpenSSL behind an HTTP server. `answers` replaces what is
 * answered at a path, such as `/issuing.ocsp` or `/root.crl`; `requests` has the paths that were asked.
 */
export async function openRevocation() {
  const answers = new Map<string, Responder>();
  const requests: string[] = [];
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const folder = makeRevocableCertificates(url);
  const issued = mkdtempSync(join(tmpdir(), 'issued-'));
  cpSync(folder, issued, { recursive: true });
  const pem = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8');
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? '';
    requests.push(path);
    const body = await buffer(request);
    const answer = (answers.get(path) ?? ((given) => publish(folder, path, given)))(body);
    if (answer === 'NONE') return;
    if (typeof answer === 'number') response.writeHead(answer, { location: '/root.crl' }).end();
    else response.end(answer);
  }
  return {
    ...{ folder, url, answers, requests },
    roots: readCertificates(pem('root')),
    certificateOf: (name: IssuedName | 'root') => {
      const [certificate] = readCertificates(pem(name));
      if (!certificate) throw new Error(`no certificate ${name}`);
      return certificate;
    },
    sealCertificate: () =>
      readSealCertificate(
        ['signer', 'issuing', 'root'].map(pem).join(''),
        readFileSync(join(folder, 'signer.key'), 'utf8'),
      ),
    revoke: (name: IssuedName) =>
      openssl(folder, `ca -config ca.cnf -name ${issuerOf(name)}_ca -revoke ${name}.pem`),
    /** Removes a certificate from the database of its authority. */
    forget: (name: IssuedName) => {
      const file = join(folder, `${issuerOf(name)}.txt`);
      const { serialNumber } = new X509Certificate(pem(name));
      const lines = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, lines.filter((line) => !line.includes(serialNumber)).join('\n'));
    },
    /** The response about a certificate; `signer`: who signs it. */
    ocspOf: (name: IssuedName, options: OcspOptions = {}) => ocspOf(folder, name, options),
    /** The list of an authority; `thisUpdate`: now, if it is left out. */
    crlOf: (issuer: 'root' | 'issuing', thisUpdate?: Date) => crlOf(folder, issuer, thisUpdate),
    /** Forgets revocations, answers and requests: certificates take a second to make, so the tests of a file share them. */
    reset() {
      answers.clear();
      requests.length = 0;
      cpSync(issued, folder, { recursive: true });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      for (const each of [folder, issued]) rmSync(each, { recursive: true, force: true });
    },
  };
}

export type TestRevocation = Awaited<ReturnType<typeof openRevocation>>;

interface OcspOptions {
  signer?: string;
  /** For how long it is valid. */
  minutes?: number;
}

/** What is published at a path. */
function publish(folder: string, path: string, request: Buffer): Answer {
  const [, issuer, kind] = /^\/(root|issuing)\.(ocsp|crl)$/.exec(path) ?? [];
  if (issuer !== 'root' && issuer !== 'issuing') return 404;
  if (kind === 'crl') return crlOf(folder, issuer);
  writeFileSync(join(folder, 'request.der'), request);
  return respondTo(folder, issuer, {});
}

/** The response to request.der. */
function respondTo(folder: string, issuer: string, { signer, minutes = 60 }: OcspOptions): Buffer {
  const by = signer ?? `${issuer}-responder`;
  openssl(
    folder,
    `ocsp -index ${issuer}.txt -CA ${issuer}.pem -rsigner ${by}.pem -rkey ${by}.key -nmin ${minutes} -reqin request.der -respout response.der`,
  );
  return readFileSync(join(folder, 'response.der'));
}

function ocspOf(folder: string, name: IssuedName, options: OcspOptions): Buffer {
  const issuer = issuerOf(name);
  openssl(folder, `ocsp -no_nonce -issuer ${issuer}.pem -cert ${name}.pem -reqout request.der`);
  return respondTo(folder, issuer, options);
}

function crlOf(folder: string, issuer: string, thisUpdate?: Date): Buffer {
  const digits = thisUpdate?.toISOString().replace(/\D/g, '').slice(0, 14);
  const update = digits ? `-crl_lastupdate ${digits}Z ` : '';
  openssl(folder, `ca -config ca.cnf -name ${issuer}_ca -gencrl ${update}-out ${issuer}.crl.pem`);
  return openssl(folder, `crl -in ${issuer}.crl.pem -outform DER`);
}
