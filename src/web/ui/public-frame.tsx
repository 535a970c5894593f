import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Brand, Document, POLICY, styleSource } from './layout.tsx';
import { PUBLIC_STYLE } from './public-style.ts';
import { STYLE } from './style.ts';

export interface PublicFrameProps {
  title: string;
  /** URL of the page's script. The page works without it. */
  script?: string;
  /** CSS of this page; `publicPolicy` has to allow its hash. */
  style?: string;
  layout: 'narrow' | 'columns';
  children: Child;
}

/** Layout of the pages for people without an account. */
export const PublicFrame = ({ title, script, style, layout, children }: PublicFrameProps) => (
  <Document
    title={title}
    style={STYLE}
    head={
      <>
        <style>{raw(PUBLIC_STYLE)}</style>
        {style && <style>{raw(style)}</style>}
        {script && <script type="module" src={script} />}
      </>
    }
  >
    <header class="masthead">
      <Brand />
    </header>
    <main id="main" class={layout}>
      {children}
    </main>
  </Document>
);

/** CSP of such a page: it loads only its own script and pictures. */
export const publicPolicy = (style = ''): Record<string, string> => ({
  'style-src': [POLICY['style-src'], styleSource(PUBLIC_STYLE), ...(style ? [styleSource(style)] : [])].join(
    ' ',
  ),
  'script-src': "'self'",
});
