import { Parser } from 'htmlparser2';

/** Elements after which a paragraph ends. */
const PARAGRAPHS = new Set(['p', 'h1', 'ul', 'blockquote', 'div']);

/** Elements whose text is not shown. */
const HIDDEN = new Set(['title', 'style']);

/**
 * The plain text of a mail's HTML: paragraphs, quotes by `> `, list items by `- `, the address of a link on a line of its
 * own after its text, and isolates (UAX #9) around names.
 */
export function textOf(html: string): string {
  const paragraphs: string[] = [];
  const hrefs: string[] = [];
  let [text, hidden, quoted] = ['', 0, false];
  const end = () => {
    const lines = text
      .replace(/[^\S\n]+/g, ' ')
      .split('\n')
      .map((line) => line.trim());
    const content = lines.join('\n').trim();
    if (content !== '') paragraphs.push(quoted ? content.replace(/^/gm, '> ') : content);
    text = '';
  };
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (HIDDEN.has(name)) hidden++;
      if (PARAGRAPHS.has(name)) end();
      if (name === 'blockquote') quoted = true;
      if (name === 'br') text += '\n';
      if (name === 'li') text += '\n- ';
      if (name === 'bdi') text += '\u2068';
      if (name === 'a') hrefs.push(href);
    },
    ontext(data) {
      if (hidden === 0) text += data.replace(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden--;
      if (name === 'bdi') text += '\u2069';
      if (name === 'a') text += `:\n${hrefs.pop()}`;
      if (PARAGRAPHS.has(name)) end();
      if (name === 'blockquote') quoted = false;
    },
  });
  parser.end(html);
  return `${paragraphs.join('\n\n')}\n`;
}
