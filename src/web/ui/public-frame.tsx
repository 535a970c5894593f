import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Brand, Document, POLICY, styleSource } from './layout.tsx';
import { PUBLIC_STYLE } from './public-style.ts';
import { STYLE } from './style.ts';

export interface PublicFrameProps {
  title: string;
  /** The address of the one script. The page works without it. */
  script?: string;
  /** Style of this very page, for which `publicPolicy` has to allow the hash. */
  style?: string;
  layout: 'narrow' | 'desk';
  children: Child;
}

/** The frame of pages for people without an account. */
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

/** The policy of such a page. A page's own script and pictures are all that it loads. */
export const publicPolicy = (style = ''): Record<string, string> => ({
  'style-src': [POLICY['style-src'], styleSource(PUBLIC_STYLE), ...(style ? [styleSource(style)] : [])].join(
    ' ',
  ),
  'script-src': "'self'",
});
