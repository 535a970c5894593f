import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readCertificates } from '../../../src/verify/certificate.js';
import { type CertificateName, makeCertificates, openssl } from './certificates.ts';
import { der, signToken, type TokenContent } from './token.ts';

/** An answer of the authority: bytes of a response, a status, or none at all. */
type Answer = Uint8Array | number | 'NONE';

/** Where a TimeStampReq of ours has its digest and its nonce. */
const requestOf = (request: Buffer) => ({
  digest: request.subarray(24, 56),
  nonce: request.subarray(58, 66),
});

/**
 * A time-stamping authority: OpenSSL behind an HTTP server. `answer` replaces what it answers; `requests` has the headers
 * of what it was asked. `folder`: with its certificates; it is removed in the end.
 */
export async function openAuthority(folder = makeCertificates()) {
  const authority = {
    folder,
    rootFile: join(folder, 'root.pem'),
    roots: readCertificates(readFileSync(join(folder, 'root.pem'), 'utf8')),
    url: '',
    requests: [] as IncomingMessage['headers'][],
    answer: (request: Buffer): Answer => replyOf(folder, request),
    /** Answers with a token that differs in some members from the right one, or is signed by another certificate. */
    answerWith(changed: Partial<TokenContent>, certificate: CertificateName = 'tsa') {
      authority.answer = (request) =>
        granted(signToken(folder, { ...requestOf(request), time: new Date(), ...changed }, certificate));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    authority.requests.push(request.headers);
    const answer = authority.answer(await buffer(request));
    if (answer === 'NONE') return;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.setHeader('Content-Type', 'application/timestamp-reply').end(answer);
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  authority.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return authority;
}

export type TestAuthority = Awaited<ReturnType<typeof openAuthority>>;

function replyOf(folder: string, request: Buffer): Buffer {
  writeFileSync(join(folder, 'request.der'), request);
  openssl(folder, 'ts -reply -config ca.cnf -section t -queryfile request.der -out reply.der');
  return readFileSync(join(folder, 'reply.der'));
}

/** TimeStampResp with the status "granted". */
const granted = (token: Uint8Array): Buffer => der(0x30, Buffer.from('3003020100', 'hex'), token);
