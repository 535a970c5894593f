import type { ConsoleSettingsFragment } from '../../../generated/operations/graphql.ts';
import { Choices, Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Badge } from '../ui/parts.tsx';
import type { Visit } from '../ui/visit.ts';

interface SettingsViewProps {
  visit: Visit;
  organization: ConsoleSettingsFragment;
  error?: FormError;
  /** The name that was entered, after an error. */
  name?: string;
}

export const SettingsView = (props: SettingsViewProps) => (
  <>
    <NameForm {...props} />
    <SecondFactorSection organization={props.organization} />
    <ErasedCommentsForm {...props} />
  </>
);

const NameForm = ({ visit, organization, error, name }: SettingsViewProps) => (
  <section class="card" aria-labelledby="name-title">
    <h2 id="name-title">Name</h2>
    <Form action={`/console/${organization.id}/settings/name`} formToken={visit.formToken}>
      <TextInput
        {...{ name: 'name', label: 'Name of the organization', error }}
        value={name ?? organization.name}
      />
      <button type="submit">Change the name</button>
    </Form>
  </section>
);

const ERASED_COMMENTS = [
  {
    value: 'KEEP',
    text: 'Keep them',
    hint: 'They are shown as those of an erased person. Comments that hold the address of the person are removed in any case.',
  },
  {
    value: 'REDACT',
    text: 'Remove their text',
    hint: 'It cannot be restored. The log says that it was removed.',
  },
];

const ErasedCommentsForm = ({ visit, organization, error }: SettingsViewProps) => (
  <section class="card" aria-labelledby="erased-title">
    <h2 id="erased-title">Comments of erased people</h2>
    <p>When the account of a person is erased, what becomes of what they wrote here?</p>
    <Form action={`/console/${organization.id}/settings/erased-comments`} formToken={visit.formToken}>
      <Choices
        {...{ name: 'erasedComments', label: 'Their comments', choices: ERASED_COMMENTS, one: true, error }}
        chosen={[organization.erasedComments]}
      />
      <button type="submit">Save</button>
    </Form>
  </section>
);

const SecondFactorSection = ({ organization }: { organization: ConsoleSettingsFragment }) => (
  <section class="card" aria-labelledby="second-factor">
    <h2 id="second-factor">Second factor</h2>
    <p>
      {organization.requiresSecondFactor ? (
        <Badge text="Required" tone="good" />
      ) : (
        <Badge text="Not required" />
      )}{' '}
      {organization.requiresSecondFactor
        ? 'Members without a second factor cannot use the organization until they add one.'
        : 'A password alone opens the account of a member without a second factor.'}
    </p>
    <WithoutFactor organization={organization} />
    {organization.viewerRole === 'OWNER' ? (
      <a class="button plain" href={`/console/${organization.id}/settings/second-factor`}>
        {organization.requiresSecondFactor ? 'Stop requiring it' : 'Require a second factor'}
      </a>
    ) : (
      <p>Only owners change this.</p>
    )}
  </section>
);

/** How many members have no second factor, with a link to the list of them. */
export const WithoutFactor = ({ organization }: { organization: ConsoleSettingsFragment }) => {
  const { totalCount } = organization.withoutFactor;
  if (!totalCount) return <p>All members have a second factor.</p>;
  return (
    <p>
      <a href={`/console/${organization.id}/people?factor=without`}>
        {totalCount === 1 ? 'One member has' : `${totalCount} members have`} no second factor
      </a>
      .
    </p>
  );
};
