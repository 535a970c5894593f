import { Frame } from '../ui/layout.tsx';
import { SiteHeader } from '../ui/site-header.tsx';

export interface OutboxProps {
  viewerName: string;
  mails: readonly { href: string; to: string; subject: string; createdAt: Date }[];
  nextHref?: string;
}

/** The mails that were not sent, as there is no mail server. */
export const Outbox = ({ viewerName, mails, nextHref }: OutboxProps) => (
  <Frame title="Outbox" wide header={<SiteHeader current="/outbox" viewerName={viewerName} />}>
    <div class="card">
      <h1>Outbox</h1>
      <p class="lead">
        No mail server is configured, so mails are kept here for seven days and nothing is sent. You see those
        of your organizations, and those to you.
      </p>
      {mails.length === 0 && <p>There is no mail.</p>}
    </div>
    {mails.map(({ href, to, subject, createdAt }) => (
      <section class="card">
        <h2 class="who">
          <a href={href}>
            <bdi>{subject}</bdi>
          </a>
        </h2>
        <p class="who">
          To <bdi>{to}</bdi>, <time datetime={createdAt.toISOString()}>{minute(createdAt)}</time>
        </p>
      </section>
    ))}
    {nextHref && (
      <p class="after">
        <a href={nextHref}>Older mails</a>
      </p>
    )}
  </Frame>
);

const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export interface OutboxMailProps {
  viewerName: string;
  subject: string;
  text: string;
  headers: readonly { originalKey: string; value: string }[];
  /** The HTML part, for a frame. */
  htmlHref: string;
  listHref: string;
}

/** One mail: its HTML, its plain text and its headers. */
export const OutboxMail = ({ viewerName, subject, text, headers, htmlHref, listHref }: OutboxMailProps) => (
  <Frame title={subject} wide header={<SiteHeader current="/outbox" viewerName={viewerName} />}>
    <p>
      <a href={listHref}>Outbox</a>
    </p>
    <h1 class="who">
      <bdi>{subject}</bdi>
    </h1>
    <iframe
      class="mail"
      src={htmlHref}
      title="The mail"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    />
    <details class="card">
      <summary>Plain text</summary>
      <pre>{text}</pre>
    </details>
    <details class="card">
      <summary>Headers</summary>
      <pre>{headers.map(({ originalKey, value }) => `${originalKey}: ${value}`).join('\n')}</pre>
    </details>
  </Frame>
);
