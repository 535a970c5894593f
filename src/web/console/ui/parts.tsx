import type { Child } from 'hono/jsx';

export const Badge = ({ text, tone }: { text: string; tone?: 'good' | 'bad' }) => (
  <span class={tone ? `badge ${tone}` : 'badge'}>{text}</span>
);

/** A time by the day, or by the minute, in UTC. */
export const Time = ({ at, byMinute }: { at: string; byMinute?: boolean }) => (
  <time datetime={at}>{byMinute ? `${at.slice(0, 16).replace('T', ' ')} UTC` : at.slice(0, 10)}</time>
);

/** An enum value for people: `RESOURCE_SERVER` is `Resource server`. */
export const wordsOf = (value: string): string =>
  value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ');

/** One entry of a list: what it is, then buttons. */
export const Row = ({ children, buttons, more }: { children: Child; buttons?: Child; more?: Child }) => (
  <li>
    <div class="what">{children}</div>
    {buttons && <div class="buttons">{buttons}</div>}
    {more}
  </li>
);

/** A list, or a sentence where it is empty. */
export const Rows = ({ children, empty, count }: { children: Child; empty: string; count: number }) =>
  count > 0 ? <ul class="rows">{children}</ul> : <p>{empty}</p>;

interface PagerProps {
  /** The path of the list, with its filters. */
  path: string;
  filters?: Record<string, string>;
  after: string | undefined;
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
  /** Where a page has several lists: the parameter of the cursor, the id of the list, and the name of these links. */
  parameter?: string;
  anchor?: string;
  label?: string;
}

export const hrefOf = (path: string, query: Record<string, string>): string => {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return text ? `${path}?${text}` : path;
};

/** The choice with this value, or else the first one. */
export const chosenOf = <Items extends readonly [{ value: string }, ...{ value: string }[]]>(
  choices: Items,
  value: string | undefined,
): Items[number] => choices.find((choice) => choice.value === value) ?? choices[0];

interface FiltersProps {
  label: string;
  /** The path of the list, and the other parameters of its query. */
  path: string;
  others?: Record<string, string>;
  /** The parameter that these links set, and its value. */
  name: string;
  chosen: string;
  choices: readonly { value: string; text: string }[];
}

/** Links that choose what a list shows. */
export const Filters = ({ label, path, others, name, chosen, choices }: FiltersProps) => (
  <nav class="filters" aria-label={label}>
    {choices.map(({ value, text }) => (
      <a
        href={hrefOf(path, { ...others, [name]: value })}
        aria-current={value === chosen ? 'true' : undefined}
      >
        {text}
      </a>
    ))}
  </nav>
);

/** Links to the first and to the next page of a list. */
export const Pager = ({ path, filters = {}, after, pageInfo, parameter = 'after', ...props }: PagerProps) => {
  const { hasNextPage, endCursor } = pageInfo;
  const next = hasNextPage ? endCursor : undefined;
  const fragment = props.anchor ? `#${props.anchor}` : '';
  if (!after && !next) return null;
  return (
    <nav class="pager" aria-label={props.label ?? 'Pages'}>
      {after && <a href={hrefOf(path, filters) + fragment}>First page</a>}
      {next && <a href={hrefOf(path, { ...filters, [parameter]: next }) + fragment}>Next page</a>}
    </nav>
  );
};

/** Facts about one object. */
export const Facts = ({ facts }: { facts: readonly (readonly [Child, Child])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** A text to copy. The button appears with the script. */
export const Copied = ({ id, text }: { id: string; text: string }) => (
  <div class="secret">
    <code id={id}>{text}</code>
    <button type="button" class="plain" data-copy={id} hidden>
      Copy
    </button>
    <span role="status" />
  </div>
);
