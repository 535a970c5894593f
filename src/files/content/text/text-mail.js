// Plain JavaScript, as everything that text-task.js loads.
import PostalMime from 'postal-mime';
import { inPieces } from './text-encoding.js';
import { addHtml } from './text-markup.js';

/** @typedef {import('postal-mime').Address} Address */

const people = (/** @type {(Address | undefined)[] | undefined} */ addresses) =>
  (addresses ?? [])
    .flatMap((each) => (each ? `${each.name ?? ''} ${each.address ?? ''}`.trim() : []))
    .join(', ');

/** Subject, people, date and text of a message, and the names of its attachments. */
export async function addMail(
  /** @type {import('../../child/text-collect.js').TextCollector} */ collector,
  /** @type {Uint8Array} */ bytes,
) {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 32, maxHeadersSize: 2 ** 20 });
  for (const line of [mail.subject, people([mail.from]), people(mail.to), people(mail.cc), mail.date])
    if (line) collector.add(`${line}\n`);
  collector.add('\n');
  if (mail.text) collector.add(mail.text);
  else if (mail.html) addHtml(collector, inPieces(mail.html));
  for (const { filename } of mail.attachments) if (filename) collector.add(`\n${filename}`);
}
