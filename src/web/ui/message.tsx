import type { Child } from 'hono/jsx';
import { Frame } from './layout.tsx';

export interface MessageProps {
  title: string;
  text: Child;
  /** Where one can go from here. */
  link?: { href: string; text: Child };
}

/** A screen that says one thing, most often why something was not done. */
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
