import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A key and a certificate for `localhost`, in PEM. */
function newCertificate(): { key: string; cert: string } {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const pem = execFileSync('openssl', ['req', '-x509', ...algorithm, ...subject, '-keyout', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const at = pem.indexOf('-----BEGIN CERTIFICATE');
  return { key: pem.slice(0, at), cert: pem.slice(at) };
}

type Reply = (response: ServerResponse) => void;

/** A web server for documents of clients, on the local machine; `exceptions` let a server under test read them. */
export async function documentServer() {
  const { key, cert } = newCertificate();
  const replies = new Map<string, Reply>();
  const requests: string[] = [];
  const server = createServer({ key, cert }, ({ url = '' }, response) => {
    requests.push(url);
    const reply = replies.get(url);
    if (reply) reply(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  let count = 0;
  return {
    origin,
    exceptions: { allowPrivate: true, ca: cert },
    /** How often a URL was requested. */
    countOf: (url: string) => requests.filter((path) => origin + path === url).length,
    newUrl: () => `${origin}/client-${++count}.json`,
    /** Answers at a URL with what `reply` does. */
    answer: (url: string, reply: Reply) => void replies.set(url.slice(origin.length), reply),
    /** Answers at a URL with a document that is right but for `more`. */
    publish(url: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
      const body = JSON.stringify(documentOf(url, more));
      this.answer(url, (response) =>
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body),
      );
      return url;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const documentOf = (url: string, more: Record<string, unknown> = {}) => ({
  client_id: url,
  client_name: 'Agent',
  redirect_uris: ['https://agent.example/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  ...more,
});
