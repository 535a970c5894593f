// Plain JavaScript, as everything that text-task.js loads.
import PostalMime from 'postal-mime';
import { TextCollector, TextFull } from '../../child/text-collect.js';
import { inPieces, withoutControls } from '../encoding/decode.js';
import { addHtml } from '../markup/text-markup.js';
import { messagesIn } from './mailbox.js';
import { addFolded, addHtmlFile, addPlain, addXmlFile } from './text-plain.js';

/** @typedef {import('postal-mime').Address} Address */
/** @typedef {import('postal-mime').Attachment} Attachment */

const LIMITS = { maxNestingDepth: 32, maxHeadersSize: 2 ** 20, forceRfc822Attachments: true };

/** How deep mails are attached to each other at most; those below have their names only. */
const MAX_ATTACHED = 5;

/** Attachments that are read, by type. */
const READERS = new Map([
  ['text/html', addHtmlFile],
  ['text/xml', addXmlFile],
  ['application/xml', addXmlFile],
  ['application/json', addPlain],
  ['text/calendar', addFolded],
  ['application/ics', addFolded],
  ['text/vcard', addFolded],
  ['text/x-vcard', addFolded],
  ['message/delivery-status', addPlain],
]);

/** The type of attachments that are sent as mere bytes, by extension. */
const BY_EXTENSION = new Map(
  Object.entries({
    txt: 'text/plain',
    csv: 'text/csv',
    md: 'text/markdown',
    htm: 'text/html',
    html: 'text/html',
    xml: 'text/xml',
    json: 'application/json',
    ics: 'text/calendar',
    vcf: 'text/vcard',
    eml: 'message/rfc822',
  }),
);

/** Base64 and uuencode in the text, as they remain where the structure of a mail is broken. */
const ENCODED = [
  /^(?:[A-Za-z0-9+/]{60,}\r?\n){2,}(?:[A-Za-z0-9+/]+={0,2}(?:\r?\n|$))?/gm,
  /[A-Za-z0-9+/]{200,}={0,2}/g,
  /^begin [0-7]{3,4} .{1,200}\r?\n(?:[ -`]{1,62}\r?\n)+?end\r?$/gm,
];

/** The mails of a file: one, or those of a mailbox, of which a broken one does not hide the others. */
export async function addMail(/** @type {TextCollector} */ collector, /** @type {Uint8Array} */ bytes) {
  let failure;
  let isRead = false;
  for (const message of messagesIn(bytes)) {
    try {
      await addMessage(collector, message, 0);
      isRead = true;
    } catch (error) {
      if (error instanceof TextFull) throw error;
      failure = error;
    }
  }
  if (failure && !isRead) throw failure;
}

/** Subject, people, date and text of a message, and its attachments: their names, and the text of those that are text or mail. */
async function addMessage(
  /** @type {TextCollector} */ collector,
  /** @type {Uint8Array} */ bytes,
  /** @type {number} */ depth,
) {
  const mail = await PostalMime.parse(bytes, LIMITS);
  const { subject, from, sender, replyTo, to, cc, bcc, date } = mail;
  for (const line of [
    subject,
    people([from, sender, ...(replyTo ?? [])]),
    people(to),
    people(cc),
    people(bcc),
    date,
  ])
    if (line) collector.add(`${withoutControls(line)}\n`);
  collector.add('\n');
  addBody(collector, mail);
  for (const attachment of mail.attachments) await addAttachment(collector, attachment, depth);
  collector.add('\n\n');
}

const people = (/** @type {(Address | undefined)[] | undefined} */ addresses) =>
  [...new Set((addresses ?? []).flatMap((each) => each?.group ?? each ?? []).map(personOf))].join(', ');

const personOf = (/** @type {Address} */ { name, address }) => `${name} ${address ?? ''}`.trim();

/** The part in HTML, as programs show it: the plain part is often a stub. The plain part where that one is absent or empty. */
function addBody(
  /** @type {TextCollector} */ collector,
  /** @type {import('postal-mime').Email} */ { html, text },
) {
  collector.add(withoutEncoded(shownText(html ?? '') || withoutControls(text ?? '')));
}

/** The text of a part in HTML, as much as is kept of a file. */
function shownText(/** @type {string} */ html) {
  const shown = new TextCollector();
  try {
    addHtml(shown, inPieces(withoutControls(html)));
  } catch (error) {
    if (!(error instanceof TextFull)) throw error;
  }
  return shown.pages().join('');
}

const withoutEncoded = (/** @type {string} */ text) =>
  ENCODED.reduce((rest, pattern) => rest.replace(pattern, '\n'), text);

async function addAttachment(
  /** @type {TextCollector} */ collector,
  /** @type {Attachment} */ { filename, mimeType, content },
  /** @type {number} */ depth,
) {
  collector.add(`\n${withoutControls(filename ?? '')}\n`);
  const extension = /\.(\w{1,5})$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const type = mimeType === 'application/octet-stream' ? (BY_EXTENSION.get(extension) ?? mimeType) : mimeType;
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  if (type === 'message/rfc822' && depth < MAX_ATTACHED) return addMessage(collector, bytes, depth + 1);
  return (READERS.get(type) ?? (type.startsWith('text/') ? addPlain : undefined))?.(collector, bytes);
}
