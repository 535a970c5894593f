import { useDeferredValue, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import type { SearchQuery } from './gql/graphql.ts';
import { Link } from './link.tsx';
import { SEARCH } from './operations.ts';
import type { Route } from './route.ts';

type Hit = NonNullable<SearchQuery['organization']>['search']['nodes'][number];
type Highlight = Hit['highlights'][number];

/** Search as one types. The arrow keys go to the results, Escape closes them. */
export function Search({ organization }: { organization: string }) {
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const [{ data, stale, fetching }] = useQuery({
    query: SEARCH,
    variables: { organization, query },
    pause: !query,
  });
  const hits = useDeferredValue(data?.organization?.search.nodes ?? []);
  const close = () => setText('');
  return (
    <search className="search" onKeyDown={(event) => (event.key === 'Escape' ? close() : moveFocus(event))}>
      <input
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Search"
        aria-label="Search"
        autoComplete="off"
      />
      {query && text && (
        <div className={stale ? 'results stale' : 'results'} aria-live="polite">
          {hits.map((hit) => (
            <Result key={hit.nodeId} hit={hit} organization={organization} onFollow={close} />
          ))}
          {hits.length === 0 && (
            <p className="empty">{fetching || stale ? 'Searching …' : `Nothing was found for “${query}”.`}</p>
          )}
        </div>
      )}
    </search>
  );
}

function Result({ hit, organization, onFollow }: { hit: Hit; organization: string; onFollow: () => void }) {
  const { node, kind, highlights } = hit;
  if (!node || !('name' in node)) return null;
  const to: Route = { organization, project: node.project.id };
  if (node.__typename === 'Document') Object.assign(to, { folder: node.folder?.id, document: node.id });
  if (node.__typename === 'Folder') to.folder = node.id;
  if (node.__typename === 'Task') to.tab = 'tasks';
  const name = highlights.find(({ part }) => part === 'NAME');
  const [snippet] = highlights.filter(({ part }) => part !== 'NAME');
  return (
    <div onClickCapture={onFollow}>
      <Link to={to}>
        <span className="badge">{kind.toLowerCase()}</span>
        <span className="name">{name ? <Marked {...name} /> : node.name}</span>
        <span className="muted small">{node.project.name}</span>
        {snippet && (
          <span className="snippet small">
            {snippet.page && <span className="muted">p. {snippet.page} </span>}
            <Marked {...snippet} />
          </span>
        )}
      </Link>
    </div>
  );
}

/** A snippet with its matches marked: `matches` has the start and end of each. */
function Marked({ text, matches }: Pick<Highlight, 'text' | 'matches'>) {
  const bounds = [0, ...matches, text.length];
  return bounds.slice(1).map((end, index) => {
    const part = text.slice(bounds[index], end);
    return index % 2 === 1 ? <mark key={bounds[index]}>{part}</mark> : part;
  });
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value ? 150 : 0);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function moveFocus(event: React.KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  event.preventDefault();
  targets[targets.indexOf(document.activeElement as HTMLElement) + step]?.focus();
}
