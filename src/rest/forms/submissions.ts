import { ExportFormSubmissionsDocument, ListFormFieldsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { csvLine } from '../wire/csv.ts';
import { everyPage } from '../wire/every-page.ts';
import { escapeFormulas } from '../wire/formula.ts';
import { PROJECT, requireInProject } from '../wire/path.ts';
import type { Execute, RestRequest, Route } from '../wire/route.ts';
import { StreamedText } from '../wire/wire.ts';

const FIELDS = storedOperation(ListFormFieldsDocument);
const SUBMISSIONS = storedOperation(ExportFormSubmissionsDocument);

/** Of submissions that are in memory at once. */
const PAGE = 100;

const formIn = ({ path }: RestRequest) => path.formTemplateId as string;

const placed = <Form extends { organizationId: string; projectId: string }>(
  form: Form | null | undefined,
  request: RestRequest,
) => requireInProject(form && { ...form, project: { id: form.projectId } }, request, 'Form');

async function pageOf(request: RestRequest, execute: Execute, after: string | null) {
  const { formTemplate } = await execute(SUBMISSIONS, {
    formTemplateId: formIn(request),
    first: PAGE,
    after,
  });
  return placed(formTemplate, request).submissions;
}

type Submissions = Awaited<ReturnType<typeof pageOf>>;
type Submission = Submissions['nodes'][number];

const fieldsOf = (request: RestRequest, execute: Execute) =>
  everyPage(async (after) => {
    const { formTemplate } = await execute(FIELDS, { formTemplateId: formIn(request), after });
    return placed(formTemplate, request).fields;
  });

const HEADING = ['Submission', 'Submitted at', 'Submitted by', 'Document'];

const cellsOf = (submission: Submission, fieldIds: readonly string[]): string[] => {
  const answers = new Map(submission.answers.map(({ formField, values }) => [formField.id, values]));
  return [
    submission.id,
    submission.createdAt,
    submission.submittedBy?.email ?? '',
    submission.document?.id ?? '',
    ...fieldIds.map((id) => (answers.get(id) ?? []).join('\n')),
  ];
};

/** The first page is read before the answer begins, so that what is refused is refused with its status. */
async function exported(request: RestRequest, execute: Execute): Promise<StreamedText> {
  const fields = await fieldsOf(request, execute);
  const first = await pageOf(request, execute, null);
  const line = (cells: readonly string[]) => csvLine(cells.map(escapeFormulas));
  const ids = fields.map(({ id }) => id);

  async function* lines() {
    yield line([...HEADING, ...fields.map(({ field }) => field.name)]);
    for (let page: Submissions = first; ; ) {
      yield page.nodes.map((each) => line(cellsOf(each, ids))).join('');
      if (!page.pageInfo.hasNextPage) return;
      page = await pageOf(request, execute, page.pageInfo.endCursor ?? null);
    }
  }
  return new StreamedText('text/csv', 'submissions.csv', lines());
}

export const submissionRoutes: Route[] = [
  {
    id: 'exportFormSubmissions',
    method: 'GET',
    path: `${PROJECT}/formTemplates/:formTemplateId/submissions.csv`,
    scope: SUBMISSIONS.scope,
    run: exported,
  },
];
