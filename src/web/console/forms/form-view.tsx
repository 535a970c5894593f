import type { ConsoleFormPageQuery, FilingState } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { Form } from '../ui/fields.tsx';
import { Names } from '../ui/names.tsx';
import { Copied, Facts, Filters, Pager, Rows, Time } from '../ui/parts.tsx';
import { mayEdit, type PageProject } from '../ui/project-tabs.tsx';
import { SubmissionRow } from './submission-row.tsx';
import { SharingBadge } from './view.tsx';

interface FormViewProps {
  path: string;
  formToken: string;
  project: PageProject;
  form: NonNullable<ConsoleFormPageQuery['formTemplate']>;
  filing: FilingState | undefined;
  after: string | undefined;
}

export const FormView = (props: FormViewProps) => (
  <>
    <Sharing {...props} />
    <Submissions {...props} />
  </>
);

const MAX_SHOWN = 20;

const Sharing = ({ form }: FormViewProps) => (
  <section class="card" aria-label="Who may submit it">
    <Facts
      facts={[
        ['Sharing', <SharingBadge form={form} />],
        ...(form.sharedWith.length > 0
          ? [['Shared with', <bdi class="who">{sharedText(form.sharedWith)}</bdi>] as const]
          : []),
        ...(form.sharedWithGroups.nodes.length > 0
          ? [['Shared with the groups', <SharedGroups form={form} />] as const]
          : []),
        [
          'Created',
          <>
            <Time at={form.createdAt} /> by <Name of={form.createdBy.name} maxLength={80} />
          </>,
        ],
      ]}
    />
    {form.publicUrl && (
      <>
        <p>
          <a href={form.publicUrl}>Open the public form</a>. Anyone who has its address can submit it:
        </p>
        <Copied id="address" text={form.publicUrl} />
      </>
    )}
  </section>
);

const SharedGroups = ({ form: { organizationId, sharedWithGroups } }: Pick<FormViewProps, 'form'>) => (
  <Names
    of={sharedWithGroups.nodes}
    maxLength={80}
    hrefOf={({ id }) => `/console/${organizationId}/groups/${id}`}
  />
);

const sharedText = (emails: readonly string[]): string =>
  [
    ...emails.slice(0, MAX_SHOWN).map((email) => shownEmail(email)),
    ...(emails.length > MAX_SHOWN ? ['…'] : []),
  ].join(', ');

const FILINGS = [
  { value: '', text: 'All' },
  { value: 'FAILED', text: 'Not filed' },
  { value: 'PENDING', text: 'Being filed' },
  { value: 'FILED', text: 'Filed' },
] as const;

const Submissions = ({ path, formToken, project, form, filing, after }: FormViewProps) => {
  const { nodes, pageInfo } = form.submissions;
  const failed = mayEdit(project) ? nodes.filter((each) => each.filing.state === 'FAILED') : [];
  return (
    <section class="card" aria-labelledby="submissions">
      <h2 id="submissions">Submissions</h2>
      {!form.viewerCanUpdate && <p>You see those that you sent.</p>}
      <Filters
        {...{ label: 'Which submissions', path, name: 'filing', chosen: filing ?? '', choices: FILINGS }}
      />
      <Rows count={nodes.length} empty="There is none.">
        {nodes.map((submission) => (
          <SubmissionRow project={project} submission={submission} />
        ))}
      </Rows>
      <Pager path={path} filters={{ filing: filing ?? '' }} after={after} pageInfo={pageInfo} />
      {failed.length > 0 && (
        <Form action={`${path}/filings`} formToken={formToken} class="one">
          {failed.map(({ id }) => (
            <input type="hidden" name="submission" value={id} />
          ))}
          <button type="submit" class="small plain">
            {failed.length === 1
              ? 'File the failed one again'
              : `File these ${failed.length} failed ones again`}
          </button>
        </Form>
      )}
    </section>
  );
};
