import { Parser } from 'htmlparser2';
import type { Email } from 'postal-mime';

/** Elements of our mails. No other one may be in them, whatever people have entered. */
const ELEMENTS = new Set('html head meta title style body div p h1 ul li a bdi br blockquote'.split(' '));

/** The elements that should not be there, the addresses of links, and what styles and attributes load or run. */
export function inspectHtml(html: string): { foreign: string[]; links: string[]; loads: string[] } {
  const [foreign, links, loads]: [string[], string[], string[]] = [[], [], []];
  const note = (text: string) => loads.push(...(text.match(/url\(|@import|javascript:|data:/gi) ?? []));
  let isStyle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!ELEMENTS.has(name)) foreign.push(name);
      for (const attribute of Object.keys(attributes))
        if (/^(on|src|background$|action)/.test(attribute)) foreign.push(attribute);
      if (attributes.href !== undefined) links.push(attributes.href);
      isStyle = name === 'style';
      for (const value of Object.values(attributes)) note(value);
    },
    ontext: (text) => isStyle && note(text),
    onclosetag: () => {
      isStyle = false;
    },
  });
  parser.end(html);
  return { foreign, links, loads };
}

/** What mail programs turn into links in a plain text. */
export const linksInText = (text = ''): string[] =>
  text.match(
    /\b(?:https?:\/\/|www\.)[\w-][^\s<>]*|(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:test|com|net|org)\b(?![^\s]*@)/gi,
  ) ?? [];

export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value;
