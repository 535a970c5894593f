import { raw } from 'hono/html';
import { ERROR_CODES } from '../../domain/kernel/errors.ts';
import type { OpenApi } from '../../lib/openapi.ts';
import type { ExampleIds } from '../graphiql/example-ids.ts';
import { embeddedJson } from '../ui/embedded-json.ts';
import { Inline, Paragraphs } from '../ui/inline-text.tsx';
import { Document, styleSource } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { SiteHeader } from '../ui/site-header.tsx';
import { REFERENCE_STYLE } from './style.ts';

export interface ReferenceViewer {
  name: string;
  /** Values of parameters. */
  ids: ExampleIds;
  /** Proves to REST v1 that this page sends a request. */
  pageToken: string;
}

export interface ApiReferenceProps {
  /** Path of the static files. */
  files: string;
  /** `info` of the OpenAPI document. */
  info: Pick<OpenApi['info'], 'title' | 'summary' | 'description'>;
  viewer?: ReferenceViewer;
}

/** CSP of the page. Swagger UI takes icons from data URLs, and needs no inline style or script. */
export const REFERENCE_POLICY = {
  'style-src': `'self' ${styleSource(REFERENCE_STYLE)}`,
  'script-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
};

/** API reference: Swagger UI, which brings the main landmark, and the codes of errors, which are there without a script too. */
export const ApiReference = ({ files, info, viewer }: ApiReferenceProps) => (
  <Document
    title="API reference"
    style={REFERENCE_STYLE}
    head={<link rel="stylesheet" href={`${files}/swagger-ui.css`} />}
  >
    <SiteHeader current="/api/v1/docs" viewerName={viewer?.name} />
    <div id="main" class="page">
      <section class="intro" aria-labelledby="title">
        <h1 id="title">{info.title}</h1>
        <p>{info.summary}</p>
        <p>
          <a href="/api/v1/openapi.json">openapi.json</a> is the same for programs.{' '}
          <a href="#errors">Error codes</a> are at the end of the page.
        </p>
        <Credential viewer={viewer} />
        <details>
          <summary>Requests, batches, lists, retries and limits</summary>
          <Paragraphs text={info.description} />
        </details>
        <h2 class="unseen">Routes</h2>
      </section>
      <div id="swagger-ui">
        <noscript>
          <p>
            This page needs JavaScript. <a href="/api/v1/openapi.json">openapi.json</a> has the same content.
          </p>
        </noscript>
      </div>
      <Codes />
    </div>
    <script type="application/json" id="settings">
      {raw(embeddedJson({ ids: viewer?.ids ?? {}, pageToken: viewer?.pageToken }))}
    </script>
    <script src={`${files}/swagger-ui-bundle.js`} defer />
    <script src={`${files}/start.js`} type="module" />
  </Document>
);

const Credential = ({ viewer }: { viewer?: ReferenceViewer }) =>
  viewer ? (
    <p>
      Requests that you execute here are real, and run as <Name of={viewer.name} />. To use a key instead,
      choose <em>Authorize</em>.
    </p>
  ) : (
    <p>
      To execute requests here, <a href="/sign-in?return_to=/api/v1/docs">sign in</a>, or choose{' '}
      <em>Authorize</em> and enter an API key. The key is forgotten when you leave the page.
    </p>
  );

/** The codes, to which the `type` of a problem links. */
const Codes = () => (
  <section id="errors" aria-labelledby="errors-title">
    <h2 id="errors-title">Error codes</h2>
    <p>
      The body of a response with another status than 200 has one of these as <code>code</code>. The request
      changed nothing.
    </p>
    <dl>
      {Object.entries(ERROR_CODES).map(([code, meaning]) => (
        <div id={code.toLowerCase()}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>
            <Inline text={meaning} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
