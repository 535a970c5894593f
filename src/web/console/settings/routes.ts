import {
  ConsoleSettingsDocument,
  ConsoleUpdateOrganizationDocument,
  type ErasedComments,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { SecondFactorRuleView } from './second-factor-view.tsx';
import { SettingsView } from './view.tsx';

const SETTINGS = storedOperation(ConsoleSettingsDocument);
const UPDATE = storedMutation(ConsoleUpdateOrganizationDocument);

/** `settings` of an organization, for its owners and admins, and the page on which an owner requires a second factor. */
export function settingsPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/settings`;
  const rulePath = `${path}/second-factor`;
  pages.get(path, (visit) => showSettings(visit));
  pages.post(`${path}/name`, rename);
  pages.post(`${path}/erased-comments`, changeErasedComments);
  pages.getFresh(rulePath, (visit) => showRule(visit));
  pages.postFresh(rulePath, (call) => call.req.path, changeRule);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  renamed: 'The name was changed.',
  required: 'Members need a second factor from now on. Who has none gets a mail.',
  comments: 'What becomes of comments of erased people was changed.',
  optional: 'Members need no second factor any more.',
};

const organizationOf = async (visit: Visit) =>
  managed((await visit.run(SETTINGS, { id: visit.param('organization') })).organization);

const pathOf = (visit: Visit): string => sectionHref(visit, 'settings');

async function showSettings(visit: Visit, error?: FormError, name?: string): Promise<Response> {
  const organization = await organizationOf(visit);
  return consolePage({
    visit,
    title: 'Settings',
    organization,
    done: DONE[visit.query('done') ?? ''],
    error,
    children: SettingsView({ visit, organization, error, name }),
  });
}

async function rename(visit: Visit, form: URLSearchParams): Promise<Response> {
  const name = form.get('name') ?? '';
  return attempt(
    async () => {
      await visit.run(UPDATE, { input: { organizationId: visit.param('organization'), name } });
      return seeOther(`${pathOf(visit)}?done=renamed`);
    },
    (error) => showSettings(visit, error, name),
  );
}

const ERASED_COMMENTS: readonly ErasedComments[] = ['KEEP', 'REDACT'];

async function changeErasedComments(visit: Visit, form: URLSearchParams): Promise<Response> {
  const erasedComments = ERASED_COMMENTS.find((each) => each === form.get('erasedComments'));
  if (!erasedComments) return showSettings(visit, fieldError('erasedComments', 'Choose one of the two.'));
  return attempt(
    async () => {
      await visit.run(UPDATE, { input: { organizationId: visit.param('organization'), erasedComments } });
      return seeOther(`${pathOf(visit)}?done=comments`);
    },
    (error) => showSettings(visit, error),
  );
}

async function showRule(visit: Visit, error?: FormError): Promise<Response> {
  const organization = await organizationOf(visit);
  return consolePage({
    visit,
    title: organization.requiresSecondFactor ? 'Stop requiring a second factor' : 'Require a second factor',
    organization,
    crumbs: [{ href: pathOf(visit), text: 'Settings' }],
    error,
    children: SecondFactorRuleView({ visit, organization, error }),
  });
}

async function changeRule(visit: Visit, form: URLSearchParams): Promise<Response> {
  const requiresSecondFactor = form.get('required') === 'yes';
  if (form.get('confirm') !== 'yes')
    return showRule(visit, fieldError('confirm', 'Check the box to change the rule.'));
  return attempt(
    async () => {
      const input = { organizationId: visit.param('organization'), requiresSecondFactor };
      await visit.run(UPDATE, { input });
      return seeOther(`${pathOf(visit)}?done=${requiresSecondFactor ? 'required' : 'optional'}`);
    },
    // No field of the page has the name of the member.
    (error) => showRule(visit, { ...error, at: undefined }),
  );
}
