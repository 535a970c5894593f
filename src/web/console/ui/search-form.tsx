interface SearchFormProps {
  organizationId: string;
  /** Where one searches; the organization without one. */
  project?: { id: string };
  /** What was typed. */
  query?: string;
  /** Where the page has another one. */
  label?: string;
}

const MAX_LENGTH = 1_000;

/** A search in an organization or in a project. */
export const SearchForm = ({ organizationId, project, query, ...props }: SearchFormProps) => {
  const label = props.label ?? (project ? 'Search this project' : 'Search');
  return (
    <search>
      <form method="get" action={`/console/${organizationId}/search`} class="search">
        {project && <input type="hidden" name="project" value={project.id} />}
        <input
          type="search"
          name="q"
          value={query}
          maxlength={MAX_LENGTH}
          aria-label={label}
          placeholder={project && !props.label ? 'In project' : label}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="plain small">
          Find
        </button>
      </form>
    </search>
  );
};
