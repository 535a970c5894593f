import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { SealNotice } from '../../domain/sealing/seal-notice.ts';
import { embeddedJson } from '../ui/embedded-json.ts';
import { Brand, Document, styleSource } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { PUBLIC_STYLE } from '../ui/public-style.ts';
import { STYLE } from '../ui/style.ts';
import { timeText } from './browser/time-text.js';

/** What the page knows of the server; see `ServerFacts` in browser/verdict.js. */
export interface ServerProps {
  host: string;
  savedOn: string | null;
  /** The signing session of the code that one followed. */
  session: string | null;
  fingerprints: string[];
  authorities: string;
}

const VERIFY_STYLE = `${STYLE}${PUBLIC_STYLE}
main.narrow { max-width: 46rem; }
.drop { display: grid; gap: .5rem; justify-items: start; padding: 1.5rem; border: 2px dashed var(--edge); border-radius: .75rem; background: var(--paper); }
.drop[hidden] { display: none; }
.drop.over { border-color: var(--accent); background: var(--calm-ground); }
.drop label { margin: 0; font-weight: 600; }
.drop input:not([type=hidden]) { width: 100%; border: 0; padding: 0; background: transparent; cursor: pointer; }
.drop p { margin: 0; color: var(--quiet); }
#result { margin-top: 1.5rem; scroll-margin-top: 1rem; }
#result:focus { outline: none; }
#result[hidden] { display: none; }
.verdict { padding: 1.25rem 1.5rem; background: var(--paper); border: 1px solid var(--line); border-left: .375rem solid var(--edge); border-radius: .5rem; }
.notice { margin-bottom: 1.5rem; }
.notice p { margin: 0; }
.verdict.good { border-left-color: var(--accent); }
.verdict.bad { border-left-color: var(--alarm); }
.verdict h2 { margin: 0 0 .25rem; font-size: 1.375rem; }
.verdict.bad h2 { color: var(--alarm); }
.verdict .file { margin: 0 0 1rem; color: var(--quiet); overflow-wrap: anywhere; }
.statements, .facts { display: grid; gap: .75rem; margin: 0; }
.statement { display: grid; gap: 0 1rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.statement dt, .facts dt { font-weight: 600; }
.statement dd, .facts dd { margin: 0; overflow-wrap: anywhere; }
.statement dt::after { font-weight: 400; }
.statement.good dt::after { content: " – confirmed"; color: var(--accent); }
.statement.open dt::after { content: " – for you to judge"; color: var(--quiet); }
.statement.bad dt::after { content: " – not as it should be"; color: var(--alarm); }
.verdict .button { display: inline-block; width: auto; margin-top: 1rem; }
.expert { margin-top: 1rem; padding: .75rem 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.expert summary { padding: .25rem 0; cursor: pointer; font-weight: 600; }
.expert .facts { padding: .75rem 0; font-size: .9375rem; }
.facts .code { font-family: ui-monospace, monospace; font-size: .875rem; }
.ways { margin-top: 2rem; color: var(--quiet); }
@media (min-width: 40rem) {
  .facts > div { display: grid; grid-template-columns: 13rem 1fr; gap: 1rem; }
}
@media print { .drop, .ways, .masthead { display: none; } }
`;

/** CSP of the page: it may load its script and style, and connect to nothing. */
export const VERIFY_POLICY = {
  'style-src': styleSource(VERIFY_STYLE),
  'script-src': "'self'",
  'connect-src': "'none'",
};

export interface VerifyProps {
  server: ServerProps;
  /** Where one followed the code of a sealed file: what was sealed in that session; 404 if nothing. */
  notice?: ({ status: 200 } & SealNotice) | { status: 404 } | undefined;
  /** What loads or contains the script. */
  script: Child;
  /** Further elements of the head. */
  head?: Child;
}

const VerifyPage = ({ server, notice, script, head }: VerifyProps) => (
  <Document title="Check a sealed file" style={VERIFY_STYLE} head={head}>
    <header class="masthead">
      <Brand />
    </header>
    <main id="main" class="narrow">
      <h1>Is this file as it was sealed?</h1>
      <p class="lead">
        Choose a signed PDF. It is checked in this browser and does not leave your device: the page cannot
        connect to anything.
      </p>
      {notice && <Notice notice={notice} />}
      <div class="drop" hidden>
        <label for="file">Signed PDF</label>
        <input id="file" type="file" accept="application/pdf,.pdf" />
        <p>Or drop it anywhere on this page.</p>
      </div>
      <noscript>
        <p class="card">
          The check runs in the browser and needs JavaScript. Without it, <code>pdfsig</code> of Poppler
          checks the signature of the file.
        </p>
      </noscript>
      <div id="result" tabindex={-1} role="status" aria-live="polite" hidden />
      <p class="ways">
        {server.savedOn ? (
          <>
            Saved from {server.host} on {server.savedOn}.
          </>
        ) : (
          <>
            To check files without this server, <a href="/verify/offline.html">save this page as one file</a>.
            It works without a network.
          </>
        )}
      </p>
    </main>
    <script type="application/json" id="server">
      {raw(embeddedJson(server))}
    </script>
    {script}
  </Document>
);

const Notice = ({ notice }: { notice: NonNullable<VerifyProps['notice']> }) => (
  <section class="verdict notice" aria-label="The code that you followed">
    {notice.status === 200 ? (
      <p>
        <Name of={notice.organizationName} maxLength={120} /> had a document sealed on{' '}
        <strong>{timeText(notice.sealedAt)}</strong>, after{' '}
        {notice.signers === 1 ? 'one person' : `${notice.signers} people`} had signed. Its code led you here.
        Anyone can print a code: choose the file to see whether it is that document.
      </p>
    ) : (
      <p>
        This server has no document with the code that led you here: it was deleted, or was never here. A file
        can still be checked.
      </p>
    )}
  </section>
);

/** The page on the server. */
export const Verify = ({ script, ...page }: Pick<VerifyProps, 'server' | 'notice'> & { script: string }) => (
  <VerifyPage {...page} script={<script src={script} defer />} />
);

/** The page as one file. Its policy is within it, so that it connects to nothing wherever it is opened. */
export const OfflineVerify = ({ server, code }: { server: ServerProps; code: string }) => (
  <VerifyPage
    server={server}
    head={<meta http-equiv="Content-Security-Policy" content={offlinePolicy(code)} />}
    script={<script>{raw(code)}</script>}
  />
);

const offlinePolicy = (code: string): string =>
  [
    "default-src 'none'",
    `style-src ${styleSource(VERIFY_STYLE)}`,
    `script-src 'sha256-${createHash('sha256').update(code).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
