import type { ConsoleSearchPageFragment, SearchKind } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { Filters, hrefOf, Pager, Rows } from '../ui/parts.tsx';
import type { PageProject } from '../ui/project-tabs.tsx';
import { SearchForm } from '../ui/search-form.tsx';
import { HitView, KIND_TEXTS } from './hit-view.tsx';

export interface SearchProps {
  organization: { id: string; name: string };
  /** Where one searches; the organization without one. */
  project: PageProject | undefined;
  query: string;
  kind: SearchKind | undefined;
  after: string | undefined;
  /** Undefined before a search. */
  results: ConsoleSearchPageFragment | undefined;
}

export const SearchView = (props: SearchProps) => (
  <>
    <section class="card" aria-label="Search">
      <SearchForm
        organizationId={props.organization.id}
        project={props.project}
        query={props.query}
        label="What to look for"
      />
      <Hints />
      {props.project && <Wider {...props} />}
    </section>
    {props.results && <Results {...props} results={props.results} />}
  </>
);

const Hints = () => (
  <details>
    <summary>How to search</summary>
    <p>
      All words have to occur, in names, tags, values of fields, comments, names of folders or in the text of
      files. <code>"words in quotes"</code> have to follow each other, <code>-word</code> may not occur,{' '}
      <code>word*</code> is the beginning of a word. <code>name:</code>, <code>tag:</code>,{' '}
      <code>value:</code>, <code>comment:</code>, <code>folder:</code> and <code>text:</code> say where a word
      has to occur.
    </p>
  </details>
);

/** From the project to its organization. */
const Wider = ({ organization, query, kind }: SearchProps) => (
  <p>
    <a href={hrefOf(`/console/${organization.id}/search`, { q: query, kind: kind ?? '' })}>
      Search all of <Name of={organization.name} maxLength={60} />
    </a>
  </p>
);

const KINDS = [
  { value: '', text: 'All' },
  ...Object.entries(KIND_TEXTS).map(([value, text]) => ({ value, text: `${text}s` })),
];

type ResultsProps = SearchProps & { results: ConsoleSearchPageFragment };

const Results = ({ organization, project, query, kind, after, results }: ResultsProps) => {
  const path = `/console/${organization.id}/search`;
  const others = { q: query, project: project?.id ?? '' };
  return (
    <section class="card" aria-label="Results">
      <Filters
        label="Kind of the results"
        name="kind"
        chosen={kind ?? ''}
        choices={KINDS}
        {...{ path, others }}
      />
      <Rows count={results.nodes.length} empty="Nothing was found.">
        {results.nodes.map((hit) => (
          <HitView hit={hit} showsProject={!project} />
        ))}
      </Rows>
      <Pager filters={{ ...others, kind: kind ?? '' }} pageInfo={results.pageInfo} {...{ path, after }} />
    </section>
  );
};
