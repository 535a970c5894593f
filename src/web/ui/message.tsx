import type { Child } from 'hono/jsx';
import { Frame } from './layout.tsx';

export interface MessageProps {
  title: string;
  text: Child;
  /** A link to continue with; the start page by default. */
  link?: { href: string; text: Child };
}

const START = { href: '/', text: 'Go to the start page' };

/** A page with one message, usually an error. */
export const Message = ({ title, text, link = START }: MessageProps) => (
  <Frame title={title}>
    <div class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      <a class="button plain" href={link.href}>
        {link.text}
      </a>
    </div>
  </Frame>
);
