/** The line before each message of a mailbox (RFC 4155 appendix A): sender and time. */
const FROM_LINE = /^From \S.{0,200}?\d{1,2}:\d{2}.{0,100}\r?\n/;

/** The same in a file that is named as a mail: any line before a header. */
const ANY_FROM_LINE = /^From .{0,300}\r?\n(?=[!-9;-~]{1,100}:)/;

/** The name of a header field and its colon (RFC 5322 §2.2). */
const FIELD = /^([!-9;-~]{1,100}):/;

const MAIL = 'message/rfc822';
const MAILBOX = 'application/mbox';

const BY_EXTENSION = new Map([
  ['.eml', MAIL],
  ['.mbox', MAILBOX],
  ['.mbx', MAILBOX],
]);

/** Fields that mail programs write and people do not. */
const TECHNICAL = ['message-id', 'mime-version', 'received', 'return-path', 'delivered-to', 'dkim-signature'];
const PERSONAL = ['from', 'date', 'subject'];

/** Lines of headers that are looked at. */
const MAX_LINES = 1_000;

/** The media type of a text that is a mail, or a mailbox of several: by its headers, or, with such an extension, its first one. */
export function mailType(text: string, extension: string): string | undefined {
  const named = BY_EXTENSION.get(extension);
  const headers = text.replace(named ? ANY_FROM_LINE : FROM_LINE, '');
  if (named && FIELD.test(headers)) return named;
  if (!areHeaders(headers)) return undefined;
  return headers === text ? MAIL : MAILBOX;
}

/** Whether a text begins with headers of a mail program, up to an empty line or the end of what is there. */
function areHeaders(text: string): boolean {
  const lines = text.slice(0, text.search(/\r?\n\r?\n|$/)).split(/\r?\n/, MAX_LINES);
  const fields = new Set(lines.flatMap((line) => FIELD.exec(line)?.[1]?.toLowerCase() ?? []));
  return (
    lines.slice(0, -1).every((line) => FIELD.test(line) || /^[ \t]/.test(line)) &&
    TECHNICAL.some((field) => fields.has(field)) &&
    PERSONAL.some((field) => fields.has(field))
  );
}
