/** So many of something to look at, and where. */
export interface Notice {
  href: string;
  count: number;
  /** Whether there are more than were counted. */
  more?: boolean;
  of: string;
  plural?: string;
  /** Whether something is wrong. */
  bad?: boolean;
}

export const Notices = ({ notices }: { notices: readonly Notice[] }) =>
  notices.length === 0 ? (
    <p>Nothing asks for action.</p>
  ) : (
    <ul>
      {notices.map(({ href, count, more, of, plural, bad }) => (
        <li class={bad ? 'bad' : undefined}>
          <a href={href}>
            {count}
            {more && '+'} {count === 1 ? of : (plural ?? `${of}s`)}
          </a>
        </li>
      ))}
    </ul>
  );
