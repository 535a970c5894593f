import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { memoize } from '../../../src/lib/memoize.ts';
import { SmtpMailer } from '../../../src/mail/mailer.ts';
import type { SmtpServer } from '../../../src/mail/smtp.ts';

const certificates = new Map<string, { key: string; cert: string }>();

/** A certificate for `localhost` that signs itself, valid for a day. */
export const localCertificate = () =>
  memoize(certificates, '', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docgraph-smtp-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
        ...['-keyout', key, '-out', cert, ...name],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  });

/** A message that arrived. */
interface Arrived {
  from: string;
  to: string[];
  secure: boolean;
  user: string | undefined;
  raw: Buffer;
  mail: Email;
}

export const CREDENTIALS = { user: 'docgraph', pass: 'p@ss:word/1' };

/** A mail server with STARTTLS and AUTH, and what arrived at it. */
export async function startMailServer() {
  const arrived: Arrived[] = [];
  const { key, cert } = localCertificate();
  const server = new SMTPServer({
    ...{ key, cert, authOptional: false, disableReverseLookup: true },
    onAuth: ({ username, password }, _, done) =>
      username === CREDENTIALS.user && password === CREDENTIALS.pass
        ? done(null, { user: username })
        : done(new Error('Invalid credentials')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user as string | undefined,
          raw,
          mail: await PostalMime.parse(raw),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const settings: SmtpServer = {
    ...{ host: 'localhost', port, secure: false, requireTls: true, credentials: CREDENTIALS },
    ca: cert,
  };
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { arrived, settings, port, stop };
}

/** The mail service of a job context that hands over to this server. */
export const mailService = (server: SmtpServer) => ({
  target: 'SMTP' as const,
  sender: { name: 'Docgraph', address: 'docs@docgraph.test' },
  smtp: new SmtpMailer(server),
});
