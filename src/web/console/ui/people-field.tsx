import { shownEmail } from '../../../lib/text/shown-email.ts';
import { describedBy, FieldErrorText } from '../../ui/error-summary.tsx';
import { Name } from '../../ui/name.tsx';
import type { FormError } from './form-error.ts';
import type { Offer, Person } from './people-offer.ts';

interface PeopleFieldProps {
  /** Also its id; `find-NAME` is the field of the search. */
  name: string;
  label: string;
  hint?: string;
  error?: FormError;
  offer: Offer;
  /** Those who are chosen, offered or not. */
  chosen: readonly Person[];
  /** Radio buttons: one of them. */
  one?: boolean;
  /** The path of the form, to which the search returns at this field. */
  action: string;
}

/** The field of the search of a PeopleField. */
export const searchField = (name: string): string => `find-${name}`;

/** People as check boxes or radio buttons, and among many a search, whose button submits the form with `do=find`. */
export const PeopleField = ({ name, label, hint, error, offer, chosen, one, action }: PeopleFieldProps) => {
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const others = offer.people.filter(({ id }) => !chosenIds.has(id));
  const text = error?.at === name ? error.text : undefined;
  return (
    <fieldset
      id={name}
      tabindex={-1}
      aria-describedby={describedBy(name, { hint: !!hint, error: !!text })['aria-describedby']}
    >
      <legend>{label}</legend>
      {hint && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      <FieldErrorText id={name} text={text} />
      {chosen.length + others.length === 0 && !offer.search && !offer.hasMore && (
        <p>There is nobody to choose.</p>
      )}
      <div class="people">
        {[...chosen, ...others].map((person) => (
          <PersonChoice {...{ person, name, one, isChosen: chosenIds.has(person.id) }} />
        ))}
      </div>
      <Search {...{ name, label, offer, action }} isEmpty={others.length === 0} />
    </fieldset>
  );
};

interface PersonChoiceProps {
  person: Person;
  name: string;
  one: boolean | undefined;
  isChosen: boolean;
}

const PersonChoice = ({ person, name, one, isChosen }: PersonChoiceProps) => (
  <label class="check">
    <input type={one ? 'radio' : 'checkbox'} name={name} value={person.id} checked={isChosen} />
    <span>
      <Name of={person.name} maxLength={60} />
      {person.email !== undefined && (
        <span class="hint">
          <bdi>{shownEmail(person.email)}</bdi>
        </span>
      )}
    </span>
  </label>
);

type SearchProps = Pick<PeopleFieldProps, 'name' | 'label' | 'offer' | 'action'> & { isEmpty: boolean };

/** Where all are offered there is nothing to search. */
const Search = ({ name, label, offer: { search, hasMore }, action, isEmpty }: SearchProps) => {
  if (!search && !hasMore) return null;
  const id = searchField(name);
  return (
    <>
      {search && isEmpty && <p role="status">Nobody else begins so.</p>}
      {search && hasMore && <p role="status">There are more: enter more of the name.</p>}
      <div class="find">
        <div class="field">
          <label for={id}>
            Beginning of a name or address <span class="unseen">({label})</span>
          </label>
          <input id={id} name={id} type="search" value={search} autocomplete="off" spellcheck={false} />
        </div>
        <button
          {...{ type: 'submit', name: 'do', value: 'find', class: 'plain small' }}
          formaction={`${action}#${name}`}
        >
          Find<span class="unseen"> ({label})</span>
        </button>
      </div>
    </>
  );
};
