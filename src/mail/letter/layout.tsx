import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Letter } from './letter.ts';
import { plainLines, plainName } from './plain.ts';

/** Styles are inline as well, since some mail programs remove style elements; those keep the light colours. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .ground { background: #131715 !important; }
  .paper { background: #1b211e !important; border-color: #333c37 !important; }
  .ink, .ink p, .ink li, .ink h1 { color: #e8ede9 !important; }
  .quiet { color: #a5b1aa !important; }
  .button { background: #86d3b4 !important; color: #0b241b !important; }
  .quote { border-color: #7d8a83 !important; background: #131715 !important; color: #e8ede9 !important; }
  .url { color: #86d3b4 !important; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;";

/** The HTML document of a letter. It loads nothing. */
export const LetterPage = ({ letter }: { letter: Letter }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{letter.subject}</title>
      <style>{raw(STYLE)}</style>
    </head>
    <body style={`margin:0;padding:0;background:#f4f5f1;${FONT}`}>
      <div class="ground" style="background:#f4f5f1;padding:16px 8px;">
        <div
          class="paper ink"
          style="max-width:560px;margin:0 auto;padding:24px 20px;box-sizing:border-box;background:#ffffff;border:1px solid #d5dad4;border-radius:12px;color:#1c2420;font-size:16px;line-height:1.5;overflow-wrap:anywhere;"
        >
          {letter.body}
        </div>
        <div
          class="quiet"
          style="max-width:560px;margin:0 auto;padding:16px 20px;box-sizing:border-box;color:#56615b;font-size:14px;line-height:1.5;overflow-wrap:anywhere;"
        >
          <Foot letter={letter} />
        </div>
      </div>
    </body>
  </html>
);

const Foot = ({ letter: { reason, unsubscribeUrl, unsubscribeText } }: { letter: Letter }) => (
  <>
    <p style="margin:0 0 8px;">{reason}</p>
    {unsubscribeUrl && (
      <p style="margin:0 0 8px;">
        <a class="url" href={unsubscribeUrl} style="color:#14614b;">
          {unsubscribeText ?? 'Stop mails of this kind'}
        </a>
      </p>
    )}
    <p style="margin:0;">Docgraph</p>
  </>
);

export const Heading = ({ children }: { children: Child }) => (
  <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650;">{children}</h1>
);

export const Paragraph = ({ children }: { children: Child }) => <p style="margin:0 0 16px;">{children}</p>;

/** The one thing that the mail asks for. The address is also written out, for programs that show no links. */
export const Button = ({ href, children }: { href: string; children: Child }) => (
  <p style="margin:24px 0;">
    <a
      class="button"
      href={href}
      style="display:inline-block;padding:12px 20px;background:#14614b;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none;"
    >
      {children}
    </a>
  </p>
);

/** A name that a user has chosen: cleaned, cut, and isolated from the text around it. */
export const Name = ({ of }: { of: string }) => <bdi style="font-weight:600;">{plainName(of)}</bdi>;

/** What a user wrote, marked as theirs; `from` is their address. Nothing in it becomes a link. */
export const Message = ({ from, text }: { from: string; text: string }) => (
  <>
    <p style="margin:0 0 8px;">
      Message from <bdi>{from}</bdi>:
    </p>
    <blockquote
      class="quote"
      style="margin:0 0 16px;padding:8px 12px;border-left:3px solid #7b857f;background:#f4f5f1;color:#1c2420;"
    >
      {plainLines(text).map((line, index) => (
        <>
          {index > 0 && <br />}
          <bdi>{line}</bdi>
        </>
      ))}
    </blockquote>
  </>
);
