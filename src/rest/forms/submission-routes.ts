import { ExportFormSubmissionsDocument, ListFormFieldsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { escapeFormulas } from '../../lib/csv/formulas.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../lib/csv/line.ts';
import { allPages, type Execute, sequence } from '../wire/operations.ts';
import { PROJECT, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import type { Route } from '../wire/route.ts';
import { StreamedText } from '../wire/text-reply.ts';

const EXPORT = storedOperation(ExportFormSubmissionsDocument);

/** Submissions in memory at once. */
const PAGE_SIZE = 100;

const formIn = ({ path }: RestRequest) => ({ formTemplateId: path.formTemplateId as string });

async function readSubmissions(request: RestRequest, execute: Execute, after: string | null) {
  const { formTemplate } = await execute(EXPORT, {
    ...formIn(request),
    first: PAGE_SIZE,
    after,
  });
  return requireInProject(formTemplate, request, 'Form').submissions;
}

type Submissions = Awaited<ReturnType<typeof readSubmissions>>;
type Submission = Submissions['nodes'][number];

const formFields = allPages({
  operation: storedOperation(ListFormFieldsDocument),
  in: formIn,
  list: ({ formTemplate }, request) => requireInProject(formTemplate, request, 'Form').fields,
  out: (fields) => fields,
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

/** Reads the first page before the reply begins, so that an error of it has a status of its own. */
async function exportSubmissions(request: RestRequest, execute: Execute): Promise<StreamedText> {
  const fields = await formFields.run(request, execute);
  const first = await readSubmissions(request, execute, null);
  const mark = (request.query.flag('bom') ?? true) ? BYTE_ORDER_MARK : '';
  const line = (cells: readonly string[]) => csvLine(cells.map(escapeFormulas));
  const ids = fields.map(({ id }) => id);

  async function* lines() {
    yield mark + line([...HEADING, ...fields.map(({ field }) => field.name)]);
    for (let page: Submissions = first; ; ) {
      yield page.nodes.map((each) => line(cellsOf(each, ids))).join('');
      if (!page.pageInfo.hasNextPage) return;
      page = await readSubmissions(request, execute, page.pageInfo.endCursor ?? null);
    }
  }
  return new StreamedText('text/csv', 'submissions.csv', lines());
}

export const formSubmissionRoutes: Route[] = [
  {
    id: 'exportFormSubmissions',
    method: 'GET',
    path: `${PROJECT}/formTemplates/:formTemplateId/submissions.csv`,
    operations: sequence([formFields, EXPORT], exportSubmissions),
  },
];
