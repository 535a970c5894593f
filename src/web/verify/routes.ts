import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Context as Call, Hono } from 'hono';
import type { Database } from '../../db/database.ts';
import type { Storage } from '../../domain/kernel/context.ts';
import { storedSealCertificates } from '../../domain/keys/seal-key.ts';
import { findSealNotice } from '../../domain/sealing/seal-notice.ts';
import type { Certificate } from '../../verify/certificate.js';
import { type PublicPageService, publicEndpoint } from '../public/public-pages.ts';
import { page } from '../ui/page.ts';
import { scriptFile } from '../ui/script-file.ts';
import { OfflineVerify, type ServerProps, VERIFY_POLICY, Verify, type VerifyProps } from './view.tsx';

export interface VerifyOptions extends PublicPageService {
  db: Database;
  storage: Storage;
  /** Certificates under which authorities of time-stamps are trusted. */
  timeStampRoots: readonly Certificate[];
}

/** Made by `npm run generate` from the folder `browser` and what checks seals. */
const FILE = new URL('../../generated/assets/verify/verify.js', import.meta.url);
const SCRIPT = scriptFile(FILE, '/verify');

/** `/verify`: checks sealed files in the browser, also as one file without this server, and says what was sealed in a session. */
export function verifyRouter(options: VerifyOptions): Hono {
  const app = new Hono();
  app.get(
    '/verify',
    publicEndpoint(options, () => show(options, { session: null, savedOn: null })),
  );
  app.get(
    '/verify/offline.html',
    publicEndpoint(options, () => offline(options)),
  );
  app.get(SCRIPT.path, SCRIPT.response);
  app.get(
    '/verify/:session{sgs_[0-9a-z]{26}}',
    publicEndpoint(options, (call) => showSession(options, call)),
  );
  return app;
}

/** Addresses of sessions are on documents, so they are not for search engines, and sent to no other site. */
const SESSION_HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

async function show(
  options: VerifyOptions,
  about: Pick<ServerProps, 'session' | 'savedOn'>,
  notice?: VerifyProps['notice'],
): Promise<Response> {
  const server = await factsOf(options, about);
  const content = Verify({ server, notice, script: SCRIPT.path });
  return page(content, { policy: VERIFY_POLICY, headers: notice && SESSION_HEADERS, status: notice?.status });
}

async function showSession(options: VerifyOptions, call: Call): Promise<Response> {
  const session = call.req.param('session') as string;
  const notice = await findSealNotice(options.db, session);
  return show(options, { session, savedOn: null }, notice ? { status: 200, ...notice } : { status: 404 });
}

async function offline(options: VerifyOptions): Promise<Response> {
  const savedOn = new Date().toISOString().slice(0, 10);
  const server = await factsOf(options, { session: null, savedOn });
  const headers = {
    'Content-Disposition': `attachment; filename="verify-${new URL(options.publicUrl).hostname}.html"`,
  };
  return page(OfflineVerify({ server, code: inlineCode() }), { headers });
}

/** The script as it may stand within a page: nothing in it ends its element. */
const inlineCode = (): string => readFileSync(FILE, 'utf8').replaceAll('</script', '<\\/script').trim();

async function factsOf(
  options: VerifyOptions,
  about: Pick<ServerProps, 'session' | 'savedOn'>,
): Promise<ServerProps> {
  return {
    ...about,
    host: new URL(options.publicUrl).host,
    fingerprints: await ownFingerprints(options),
    authorities: options.timeStampRoots.map(({ der }) => new X509Certificate(der).toString()).join(''),
  };
}

/**
 * Of the certificate that seals, and of those in the database that have sealed before. One that is not usable at the moment is
 * left out: where signing begins, it is said.
 */
async function ownFingerprints({ db, storage }: VerifyOptions): Promise<string[]> {
  const current = await storage.sealer().catch(() => undefined);
  const own = [...(current?.chain.slice(0, 1) ?? []), ...(await storedSealCertificates(db))];
  return [...new Set(own.map((der) => new X509Certificate(der).fingerprint256))];
}
