import { shownName } from '../../ui/name.tsx';
import { hrefOf } from '../ui/parts.tsx';
import { PAGES_SHOWN, type PagePicture } from './page-window.ts';

interface PagesProps {
  /** The path of the page of the document. */
  path: string;
  name: string;
  pageCount: number | null;
  first: number;
  pictures: readonly PagePicture[];
}

/** Pictures of some pages, with links to those before and after. */
export const PagesView = ({ path, name, pageCount, first, pictures }: PagesProps) => (
  <section class="card" aria-labelledby="pages">
    <h2 id="pages">Pages</h2>
    <ul class="sheets">
      {pictures.map(({ number, path: source }) => (
        <li>
          <img
            src={source}
            alt={`Page ${number} of ${shownName(name, 80)}`}
            loading="lazy"
            decoding="async"
          />
          <span aria-hidden="true">{number}</span>
        </li>
      ))}
    </ul>
    <PageLinks {...{ path, first }} last={Math.max(pageCount ?? 0, pictures.at(-1)?.number ?? 0)} />
  </section>
);

const PageLinks = ({ path, first, last }: { path: string; first: number; last: number }) => {
  const previous = Math.max(1, first - PAGES_SHOWN);
  const next = first + PAGES_SHOWN;
  if (first === 1 && next > last) return null;
  const hrefFrom = (page: number) => `${hrefOf(path, page === 1 ? {} : { page: `${page}` })}#pages`;
  return (
    <nav class="pager" aria-label="Pages of the document">
      {first > 1 && <a href={hrefFrom(previous)}>Pages before</a>}
      <span>
        {first} to {Math.min(last, next - 1)} of {last}
      </span>
      {next <= last && <a href={hrefFrom(next)}>Pages after</a>}
    </nav>
  );
};
