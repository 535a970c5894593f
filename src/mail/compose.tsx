import { LetterPage } from './letter/layout.tsx';
import type { Letter } from './letter/letter.ts';
import { textOf } from './letter/text-part.ts';

/** How mails of this server are signed (RFC 6376). */
interface DkimKey {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

export interface Sender {
  /** Of the header From and of the envelope. */
  address: string;
  name: string;
  dkim?: DkimKey;
}

/** A mail to compose. The same `id`, `date` and letter result in the same bytes. */
export interface Draft {
  id: string;
  kind: string;
  to: string;
  date: Date;
  letter: Letter;
}

/**
 * Signed headers. Besides nodemailer's: both headers of RFC 8058 §4 and Auto-Submitted. From is listed twice, so that a second
 * one cannot be added (RFC 6376 §5.4.2).
 */
const SIGNED_HEADERS = [
  ...['From', 'From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'References', 'MIME-Version'],
  ...['Content-Type', 'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':');

/** The message as it is transmitted (RFC 5322), with CRLF; signed if there is a key. */
export async function compose(sender: Sender, { id, kind, to, date, letter }: Draft): Promise<Buffer> {
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const html = `<!doctype html>${(<LetterPage letter={letter} />).toString()}`;
  // Imported late, as DKIM below: the start sends no mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const message = new MailComposer({
    from: { name: sender.name, address: sender.address },
    to: { name: '', address: to },
    ...(letter.replyTo && { replyTo: { name: '', address: letter.replyTo } }),
    subject: letter.subject,
    messageId: `<${id}@${domain}>`,
    ...(letter.threadId && { references: `<thread.${letter.threadId}@${domain}>` }),
    date,
    html,
    text: textOf(html),
    headers: { ...automaticHeaders(kind), ...unsubscribeHeaders(letter) },
    newline: '\r\n',
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const bytes = await message.build();
  return sender.dkim ? sign(bytes, sender.dkim) : bytes;
}

/** Automatic mails are not answered by programs (RFC 3834 §5). */
const automaticHeaders = (kind: string) => ({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  'Feedback-ID': `${kind.toLowerCase()}:docgraph`,
});

/** RFC 8058 §3.1. Not folded: some programs do not unfold it before they check the signature. */
const unsubscribeHeaders = ({ unsubscribeUrl }: Letter) =>
  unsubscribeUrl
    ? {
        'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {};

async function sign(message: Buffer, { domain, selector, privateKey }: DkimKey): Promise<Buffer> {
  const { default: DKIM } = await import('nodemailer/lib/dkim');
  const signer = new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: SIGNED_HEADERS,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of signer.sign(message)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
