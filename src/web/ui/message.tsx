import type { Child } from 'hono/jsx';
import { Frame } from './layout.tsx';

export interface MessageProps {
  title: string;
  text: Child;
  /** A link to continue with. */
  link?: { href: string; text: Child };
}

/** A page with one message, usually an error. */
export const Message = ({ title, text, link }: MessageProps) => (
  <Frame title={title}>
    <div class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      {link && (
        <a class="button plain" href={link.href}>
          {link.text}
        </a>
      )}
    </div>
  </Frame>
);
