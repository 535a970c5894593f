import type { ConsoleSubstituteFragment } from '../../../generated/operations/graphql.ts';
import { dayIn, startOfDay } from '../../../lib/local-time.ts';
import { Name } from '../../ui/name.tsx';
import { Form, TextInput } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Time } from '../ui/parts.tsx';
import { PeopleField } from '../ui/people-field.tsx';
import type { Visit } from '../ui/visit.ts';
import type { SubstituteOptions } from './substitute.ts';

interface SubstituteTextProps {
  substitute: ConsoleSubstituteFragment;
  timeZone: string;
}

/** Who stands in, and when, by the days of a time zone. */
export const SubstituteText = ({ substitute: { user, startsAt, endsAt }, timeZone }: SubstituteTextProps) => (
  <>
    <Name of={user.name} maxLength={60} />, from <LocalDay at={startsAt} timeZone={timeZone} /> until{' '}
    <LastDay at={endsAt} timeZone={timeZone} /> ({timeZone})
  </>
);

const LocalDay = ({ at, timeZone }: { at: string; timeZone: string }) => (
  <time datetime={at}>{dayIn(timeZone, new Date(at))}</time>
);

/** The day before a midnight there; of any other time, the minute in UTC. */
const LastDay = ({ at, timeZone }: { at: string; timeZone: string }) => {
  const end = new Date(at);
  if (startOfDay(timeZone, new Date(dayIn(timeZone, end))).getTime() !== end.getTime())
    return <Time at={at} byMinute />;
  return <time datetime={at}>{dayIn(timeZone, new Date(end.getTime() - 1))}</time>;
};

interface SubstituteFormProps extends SubstituteOptions {
  visit: Visit;
  /** Of the page of the member. */
  path: string;
  member: { substitute: ConsoleSubstituteFragment | null };
  timeZone: string;
  error?: FormError;
}

export const SubstituteForm = (props: SubstituteFormProps) => {
  const { visit, path, member, timeZone, error, isOwn, entered, offer } = props;
  return (
    <section class="card" aria-labelledby="substitute">
      <h2 id="substitute">{isOwn ? 'Your substitute' : 'Substitute'}</h2>
      <p>
        {isOwn
          ? 'While you are away, a substitute gets your votes'
          : 'While they are away, a substitute gets their votes'}{' '}
        on approvals that are requested in that time. Those that were requested before stay where they are.
      </p>
      {member.substitute && <Current {...props} substitute={member.substitute} />}
      <Form action={`${path}/substitute`} formToken={visit.formToken}>
        <PeopleField
          {...{
            name: 'toMemberId',
            label: 'Who gets the votes',
            offer,
            error,
            one: true,
            action: `${path}/substitute`,
          }}
          chosen={offer.people.filter(({ id }) => id === entered?.toMemberId)}
        />
        <TextInput
          {...{ name: 'startsAt', label: 'First day (optional)', type: 'date', error, optional: true }}
          value={entered?.startsAt}
          hint={`Without one, it begins now. Days are those of ${timeZone}, your time zone.`}
        />
        <TextInput {...{ name: 'endsAt', label: 'Last day', type: 'date', error, value: entered?.endsAt }} />
        <button type="submit" name="do" value="set">
          {member.substitute ? 'Replace the substitute' : 'Set the substitute'}
        </button>
      </Form>
    </section>
  );
};

const Current = ({ substitute, timeZone, visit, path }: SubstituteFormProps & SubstituteTextProps) => (
  <>
    <p>
      <SubstituteText {...{ substitute, timeZone }} />
    </p>
    <Form action={`${path}/substitute`} formToken={visit.formToken} class="one">
      <button type="submit" name="do" value="end" class="small danger">
        End it
      </button>
    </Form>
  </>
);
