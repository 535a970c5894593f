import { badValue } from '../../domain/kernel/errors.ts';
import { ListRecentSignatureFormsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { type Execute, PAGE_SIZE, sequence } from '../wire/operations.ts';
import { projectPath, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { signatureFormRecord } from './record.ts';

const FORMS = storedOperation(ListRecentSignatureFormsDocument);

async function pageOf(request: RestRequest, execute: Execute, first: number, after: string | null) {
  const { query } = request;
  const filter = { namePrefix: query.text('nameFilter'), exceptId: query.text('excludingId') };
  const { project } = await execute(FORMS, {
    projectId: projectPath(request).projectId,
    filter,
    first,
    after,
  });
  return requireProject(project, request).recentSignatureForms;
}

/** The position behind a form of the list, whose id is the cursor: the reply is an array, which has no place for another. */
async function positionAfter(request: RestRequest, execute: Execute, id: string): Promise<string | null> {
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo } = await pageOf(request, execute, PAGE_SIZE, after);
    const last = edges.find(({ node }) => node.id === id);
    if (last) return last.cursor;
    if (!pageInfo.hasNextPage) throw badValue('cursor', 'is not the ID of a form of this list');
    after = pageInfo.endCursor ?? null;
  }
}

/** The forms of a project, newest first. `cursor` is the ID of the last form of the previous page. */
export const recentForms = sequence([FORMS], async (request, execute) => {
  const { first, after } = request.page;
  const position = after === null ? null : await positionAfter(request, execute, after);
  const { edges } = await pageOf(request, execute, first, position);
  return edges.map(({ node }) => signatureFormRecord(node));
});
