import {
  ConsoleInviteDocument,
  ConsolePeopleDocument,
  ConsoleResendInvitationsDocument,
  ConsoleWithdrawInvitationsDocument,
  type OrganizationRole,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { memberFilter } from './member-search.ts';
import { PeopleView } from './view.tsx';

const PEOPLE = storedOperation(ConsolePeopleDocument);
const INVITE = storedMutation(ConsoleInviteDocument);
const RESEND = storedMutation(ConsoleResendInvitationsDocument);
const WITHDRAW = storedMutation(ConsoleWithdrawInvitationsDocument);

/** `people` of an organization: its members and invitations. */
export function peoplePages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/people`;
  pages.get(path, (visit) => showPeople(visit));
  pages.post(`${path}/invite`, invite);
  pages.post(`${path}/invitations`, changeInvitation);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  invited: 'The invitations are on their way.',
  resent: 'The invitation was sent again.',
  withdrawn: 'The invitation was withdrawn.',
  removed: 'The member was removed.',
  changed: 'The role was changed.',
};

/** What was typed into the form for invitations. */
interface Entered {
  email: string;
  role: string;
}

/** The choices of the list of members, by the query of the page. */
const FACTORS: Record<string, boolean | undefined> = { with: true, without: false };

async function showPeople(visit: Visit, error?: FormError, entered?: Entered): Promise<Response> {
  const search = visit.query('search')?.trim() ?? '';
  const after = visit.query('after');
  const factor = visit.query('factor') ?? '';
  const filter = { ...memberFilter(search), hasSecondFactor: FACTORS[factor] };
  const organization = visible(
    (await visit.run(PEOPLE, { id: visit.param('organization'), after, filter })).organization,
  );
  return consolePage({
    visit,
    title: 'People',
    organization,
    done: DONE[visit.query('done') ?? ''],
    error,
    children: PeopleView({ visit, organization, search, factor, after, error, entered }),
  });
}

const pathOf = (visit: Visit): string => sectionHref(visit, 'people');

/** The addresses of a text that has them by lines, commas, semicolons or blanks. */
const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((each) => each !== '')),
];

async function invite(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = { email: form.get('email') ?? '', role: form.get('role') ?? '' };
  const emails = addressesIn(entered.email);
  if (emails.length === 0)
    return showPeople(visit, fieldError('email', 'Enter at least one e-mail address.'), entered);
  return attempt(
    async () => {
      const members = emails.map((email) => ({ email, role: entered.role as OrganizationRole }));
      await visit.run(INVITE, { input: { organizationId: visit.param('organization'), members } });
      return seeOther(`${pathOf(visit)}?done=invited#invitations`);
    },
    (error) => showPeople(visit, withAddress(error, emails), entered),
  );
}

/** Of several addresses, the message names which is wrong. */
const withAddress = (error: FormError, emails: readonly string[]): FormError => {
  const email = error.position === undefined ? undefined : emails[error.position];
  return email ? { ...error, text: `${email}: ${error.text}` } : error;
};

const changeInvitation = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      const input = {
        organizationId: visit.param('organization'),
        invitationIds: [form.get('invitation') ?? ''],
      };
      const withdraws = form.get('do') === 'withdraw';
      await (withdraws ? visit.run(WITHDRAW, { input }) : visit.run(RESEND, { input }));
      return seeOther(`${pathOf(visit)}?done=${withdraws ? 'withdrawn' : 'resent'}#invitations`);
    },
    (error) => showPeople(visit, error),
  );
