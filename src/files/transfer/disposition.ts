/** What browsers draw without running it. Everything else is only ever saved. */
const VIEWABLE = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'text/plain',
]);

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[ \t]*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;

/**
 * How to present an object: a content type that is safe in a header, and the disposition that it gets. Without a
 * usable type it is bytes. Text without a charset is called UTF-8, so that nobody guesses.
 */
export function presentation(file: { filename: string; contentType: string; inline: boolean }) {
  const given = MEDIA_TYPE.test(file.contentType) ? file.contentType : 'application/octet-stream';
  const [essence = ''] = given.toLowerCase().split(/[ \t]*;/);
  const contentType =
    essence === 'text/plain' && given.length === essence.length ? `${given}; charset=utf-8` : given;
  const kind = file.inline && VIEWABLE.has(essence) ? 'inline' : 'attachment';
  return { essence, contentType, disposition: contentDisposition(kind, file.filename) };
}

/** Control and format characters (the ones that turn writing around are among these), separators of lines and paths. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu;

/**
 * RFC 6266: a fallback in plain ASCII, and the true name beside it in the encoding of RFC 8187 §3.2 where it differs.
 * Escapes in the fallback would be read differently from browser to browser (RFC 6266 appendix D), so it has none.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const safe = filename.toWellFormed().replace(UNSAFE, '_').trim();
  const name = [...safe].slice(0, 255).join('') || 'download';
  const plain = name.replace(/[^ -~]/gu, '_').replace(/["%]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
