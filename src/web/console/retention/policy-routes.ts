import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleAssignRetentionPolicyDocument,
  ConsoleDeleteRetentionPolicyDocument,
  ConsoleLockRetentionPolicyDocument,
  ConsoleRetentionPartsDocument,
  ConsoleRetentionPolicyDocument,
  ConsoleRetentionPreviewDocument,
  ConsoleRetentionProjectsDocument,
  ConsoleUnassignRetentionPolicyDocument,
  ConsoleUpdateRetentionPolicyDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, isManager, visible } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { changeInput, type EnteredPolicy, enteredKeep, enteredPolicy, policyInput } from './entered.ts';
import { PolicyView } from './policy-view.tsx';

const POLICY = storedOperation(ConsoleRetentionPolicyDocument);
const PREVIEW = storedOperation(ConsoleRetentionPreviewDocument);
const PROJECTS = storedOperation(ConsoleRetentionProjectsDocument);
const PARTS = storedOperation(ConsoleRetentionPartsDocument);
const UPDATE = storedMutation(ConsoleUpdateRetentionPolicyDocument);
const LOCK = storedMutation(ConsoleLockRetentionPolicyDocument);
const DELETE = storedMutation(ConsoleDeleteRetentionPolicyDocument);
const ASSIGN = storedMutation(ConsoleAssignRetentionPolicyDocument);
const UNASSIGN = storedMutation(ConsoleUnassignRetentionPolicyDocument);

/** `retention/POLICY`: what a policy keeps, its change with what that would do, its lock and its deletion. */
export function retentionPolicyPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/retention/:policy`;
  pages.get(path, (visit) => showPolicy(visit));
  pages.post(`${path}/assign`, assign);
  pages.post(`${path}/unassign`, unassign);
  pages.post(`${path}/change`, change);
  pages.postFresh(`${path}/lock`, (call) => call.req.path.replace(/\/lock$/, ''), lock);
  pages.post(`${path}/delete`, remove);
}

const DONE: Record<string, string> = {
  assigned: 'The policy was assigned.',
  unassigned: 'The policy does not keep these documents any more.',
  changed: 'The policy was changed.',
  locked: 'The policy is locked.',
};

const listOf = (visit: Visit): string => sectionHref(visit, 'retention');
const pathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('policy')}`;

interface Shown {
  error?: FormError;
  /** What was entered in the form of the change, to be shown again or tried. */
  entered?: EnteredPolicy;
  isTried?: boolean;
}

async function showPolicy(visit: Visit, { error, entered, isTried = false }: Shown = {}): Promise<Response> {
  const id = visit.param('organization');
  const after = visit.query('after');
  const { organization, node } = await visit.run(POLICY, { id, policyId: visit.param('policy'), after });
  if (node?.__typename !== 'RetentionPolicy' || node.organizationId !== id)
    throw notFound('Retention policy');
  const search = visit.query('search')?.trim() ?? '';
  const manages = isManager(visible(organization));
  const change = isTried && entered ? changeOf(entered) : {};
  return consolePage({
    visit,
    title: node.name,
    organization: visible(organization),
    crumbs: [{ href: listOf(visit), text: 'Retention' }],
    done: DONE[visit.query('done') ?? ''],
    error,
    children: PolicyView({
      ...{
        visit,
        organization: visible(organization),
        policy: node,
        after,
        search,
        error,
        isChange: isTried,
      },
      projects: manages && search ? await projectsOf(visit, search) : undefined,
      parts: manages ? await partsOf(visit) : undefined,
      preview: manages ? await previewOf(visit, change) : undefined,
      entered: entered ?? currentRule(node),
    }),
  });
}

const currentRule = (policy: Parameters<typeof PolicyView>[0]['policy']): EnteredPolicy => ({
  ...{ name: policy.name, ...enteredKeep(policy.keep), startsFrom: policy.startsFrom, action: policy.action },
  ...{ reviewGroupId: policy.reviewGroup?.id ?? '', reviewNeed: `${policy.reviewNeed}` },
});

const projectsOf = async (visit: Visit, namePrefix: string) =>
  (await visit.run(PROJECTS, { id: visit.param('organization'), filter: { namePrefix } })).organization
    ?.projects;

async function partsOf(visit: Visit) {
  const projectId = visit.query('project');
  return projectId ? ((await visit.run(PARTS, { projectId })).project ?? undefined) : undefined;
}

const previewOf = async (visit: Visit, change: object) =>
  (
    await visit.run(PREVIEW, {
      input: { organizationId: visit.param('organization'), policyId: visit.param('policy'), ...change },
    })
  ).retentionPreview;

/** The change that was entered, as the preview takes it. */
function changeOf(entered: EnteredPolicy) {
  const { keep, forever, action } = changeInput(policyInput(entered));
  return { keep, forever, action };
}

/** What a form of assignment is about. */
function scopeOf(form: URLSearchParams) {
  const textOf = (name: string) => form.get(name) ?? '';
  const scopes = {
    wholeOrganization: { wholeOrganization: true },
    project: { projectId: textOf('project') },
    folder: { folderId: textOf('folder') },
    choice: { choice: { fieldId: textOf('field'), value: textOf('value') } },
  };
  return scopes[textOf('scope') as keyof typeof scopes] ?? scopes.project;
}

const assign = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(ASSIGN, { input: { policyId: visit.param('policy'), scope: scopeOf(form) } });
      return seeOther(`${pathOf(visit)}?done=assigned`);
    },
    (error) => showPolicy(visit, { error }),
  );

const unassign = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(UNASSIGN, { input: { assignmentId: form.get('assignment') ?? '' } });
      return seeOther(`${pathOf(visit)}?done=unassigned`);
    },
    (error) => showPolicy(visit, { error }),
  );

function change(visit: Visit, form: URLSearchParams): Promise<Response> {
  const entered = enteredPolicy(form);
  return attempt(
    async () => {
      if (form.get('do') === 'preview') return showPolicy(visit, { entered, isTried: true });
      const expectedVersion = Number(form.get('version')) || null;
      const input = {
        policyId: visit.param('policy'),
        ...changeInput(policyInput(entered)),
        expectedVersion,
      };
      await visit.run(UPDATE, { input });
      return seeOther(`${pathOf(visit)}?done=changed`);
    },
    (error) => showPolicy(visit, { error, entered }),
  );
}

async function lock(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showPolicy(visit, { error: fieldError('confirm', 'Check the box to lock the policy.') });
  return attempt(
    async () => {
      await visit.run(LOCK, { input: { policyId: visit.param('policy') } });
      return seeOther(`${pathOf(visit)}?done=locked`);
    },
    (error) => showPolicy(visit, { error }),
  );
}

const remove = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(DELETE, { input: { policyId: visit.param('policy') } });
      return seeOther(`${listOf(visit)}?done=deleted`);
    },
    (error) => showPolicy(visit, { error }),
  );
