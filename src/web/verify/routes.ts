import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { Storage } from '../../domain/kernel/context.ts';
import type { Certificate } from '../../verify/certificate.js';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { page } from '../ui/page.ts';
import { scriptFile } from '../ui/script-file.ts';
import { type KnownProps, OfflineVerify, VERIFY_POLICY, Verify } from './view.tsx';

export interface VerifyOptions extends ErrorReporting {
  storage: Storage;
  publicUrl: string;
  /** Certificates under which authorities of time-stamps are trusted. */
  timeStampRoots: readonly Certificate[];
}

/** Made by `npm run generate` from the folder `browser` and what checks seals. */
const FILE = new URL('../../generated/assets/verify/verify.js', import.meta.url);
const SCRIPT = scriptFile(FILE, '/verify');

/** `/verify`: checks sealed files in the browser, also as one file without this server. */
export function verifyRouter(options: VerifyOptions): Hono {
  const app = new Hono();
  app.get('/verify', async () =>
    page(Verify({ known: await knownOf(options, null), script: SCRIPT.path }), { policy: VERIFY_POLICY }),
  );
  app.get('/verify/offline.html', async () => {
    const known = await knownOf(options, new Date().toISOString().slice(0, 10));
    const headers = { 'Content-Disposition': `attachment; filename="verify-${hostOf(options)}.html"` };
    return page(OfflineVerify({ known, code: inlineCode() }), { headers });
  });
  app.get(SCRIPT.path, SCRIPT.response);
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

/** The script as it may stand within a page: nothing in it ends its element. */
const inlineCode = (): string => readFileSync(FILE, 'utf8').replaceAll('</script', '<\\/script').trim();

const hostOf = ({ publicUrl }: VerifyOptions): string => new URL(publicUrl).hostname;

async function knownOf(options: VerifyOptions, savedOn: string | null): Promise<KnownProps> {
  return {
    host: new URL(options.publicUrl).host,
    savedOn,
    fingerprints: await ownFingerprints(options),
    authorities: options.timeStampRoots.map(({ der }) => new X509Certificate(der).toString()).join(''),
  };
}

/** Of the certificate that seals; none where it is not usable at the moment, which is said where signing begins. */
async function ownFingerprints({ storage }: VerifyOptions): Promise<string[]> {
  const sealer = await storage.sealer().catch(() => undefined);
  const own = sealer?.chain[0];
  return own ? [new X509Certificate(own).fingerprint256] : [];
}
