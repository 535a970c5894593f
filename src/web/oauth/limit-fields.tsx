import { Name } from '../ui/name.tsx';

export interface LimitFieldsProps {
  choices: readonly {
    id: string;
    name: string;
    projects: readonly { id: string; name: string }[];
    hasMore: boolean;
  }[];
  /** What is chosen; null for all. */
  limit: { organizationIds: readonly string[]; projectIds: readonly string[] } | null;
  /** The id of the form that the fields belong to. */
  form: string;
}

/** In characters. */
const MAX_NAME_LENGTH = 60;

/** The choice between all that the user sees, and some organizations and projects. Works without a script. */
export const LimitFields = ({ choices, limit, form }: LimitFieldsProps) => (
  <fieldset class="limit">
    <legend>Where it can do this</legend>
    <label class="choice">
      <input type="radio" name="reach" value="all" form={form} checked={limit === null} />
      In all of my organizations and projects, also in those that I join later
    </label>
    <label class="choice">
      <input type="radio" name="reach" value="chosen" form={form} checked={limit !== null} />
      Only where I choose
    </label>
    <div class="choices">
      {choices.map((organization) => (
        <Organization organization={organization} limit={limit} form={form} />
      ))}
    </div>
  </fieldset>
);

type Choice = LimitFieldsProps['choices'][0];

const Organization = ({
  organization: { id, name, projects, hasMore },
  limit,
  form,
}: { organization: Choice } & Omit<LimitFieldsProps, 'choices'>) => (
  <>
    <label class="choice who">
      <input
        type="checkbox"
        name="organization"
        value={id}
        form={form}
        checked={limit?.organizationIds.includes(id)}
      />
      <span>
        All of <Name of={name} maxLength={MAX_NAME_LENGTH} />
      </span>
    </label>
    {projects.length > 0 && (
      <details open={projects.length <= 5 || projects.some((each) => limit?.projectIds.includes(each.id))}>
        <summary>Or single projects of it</summary>
        {projects.map((project) => (
          <label class="choice who">
            <input
              type="checkbox"
              name="project"
              value={project.id}
              form={form}
              checked={limit?.projectIds.includes(project.id)}
            />
            <Name of={project.name} maxLength={MAX_NAME_LENGTH} />
          </label>
        ))}
        {hasMore && <p class="hint">The first {projects.length} projects are listed.</p>}
      </details>
    )}
  </>
);
