import { downloadName } from './download-name.ts';

/** Types that browsers display without executing them. All others are sent as attachments. */
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
 * A content type that is safe in a header, and the disposition. An invalid type becomes application/octet-stream.
 * Plain text without a charset is declared as UTF-8, so that browsers do not guess.
 */
export function presentation(file: { filename: string; contentType: string; inline: boolean }) {
  const declaredType = MEDIA_TYPE.test(file.contentType) ? file.contentType : 'application/octet-stream';
  const [essence = ''] = declaredType.toLowerCase().split(/[ \t]*;/);
  const contentType =
    essence === 'text/plain' && declaredType.length === essence.length
      ? `${declaredType}; charset=utf-8`
      : declaredType;
  const kind = file.inline && VIEWABLE.has(essence) ? 'inline' : 'attachment';
  return { essence, contentType, disposition: contentDisposition(kind, file.filename) };
}

/**
 * RFC 6266: a fallback in plain ASCII, and, where it differs, the exact name in the encoding of RFC 8187 §3.2.
 * Escapes in the fallback would be read differently from browser to browser (RFC 6266 appendix D), so it has none.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = downloadName(filename);
  const plain = name.replace(/[^ -~]/gu, '_').replaceAll('%', '_');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
