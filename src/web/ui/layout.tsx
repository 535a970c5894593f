import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { ICON_SVG, MARK } from './mark.js';
import { STYLE } from './style.ts';

/** The CSP source that allows a style sheet by its hash. */
export const styleSource = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const styleHash = styleSource(STYLE);

/** Default CSP of every page; a page that needs more overrides directives. */
export const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': styleHash,
  'img-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

export interface FrameProps {
  /** Title without the product's name; starts with `Error:` after an error. */
  title: string;
  wide?: boolean;
  /** In place of the brand alone: `SiteHeader`, on pages for who is signed in. */
  header?: Child;
  children: Child;
}

/** Layout of every page: the document, its style sheet, the brand, and the main landmark. */
export const Frame = ({ title, wide, header, children }: FrameProps) => (
  <Document title={title} style={STYLE}>
    {header ?? (
      <header class="top">
        <Brand />
      </header>
    )}
    <main id="main" class={wide ? 'wide' : undefined}>
      {children}
    </main>
  </Document>
);

export interface DocumentProps {
  title: string;
  /** Text of the style sheet; the CSP has to allow its hash. */
  style?: string;
  head?: Child;
  children: Child;
}

export const Document = ({ title, style, head, children }: DocumentProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} – Docgraph`}</title>
      <link rel="icon" href={ICON} />
      {style && <style>{raw(style)}</style>}
      {head}
    </head>
    <body>{children}</body>
  </html>
);

const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;

/** The product's name and logo. */
export const Brand = () => (
  <span class="brand">
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
      {raw(MARK)}
    </svg>
    Docgraph
  </span>
);
