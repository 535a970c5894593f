import {
  ListInvitationsDocument,
  ListOrganizationMembersDocument,
  ListProjectInvitationsDocument,
  ListProjectMembersDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { allPages, type Execute, PAGE_SIZE, sequence } from '../wire/operations.ts';
import { END_CURSOR, readAllPages } from '../wire/pages.ts';
import { organizationPath, projectPath, requireOrganization, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { memberFilterIn } from './filter.ts';
import { invitationRecord, memberRecord, projectInvitationRecord, projectMemberRecord } from './record.ts';

const MEMBERS = allPages({
  operation: storedOperation(ListOrganizationMembersDocument),
  in: organizationPath,
  list: ({ organization }) => requireOrganization(organization).members,
  out: (members) => members.map(memberRecord),
});

const INVITATIONS = allPages({
  operation: storedOperation(ListInvitationsDocument),
  in: organizationPath,
  list: ({ organization }) => requireOrganization(organization).invitations,
  out: (invitations) => invitations.map(invitationRecord),
});

/** The members of an organization, and then its open invitations as far as the caller sees them. */
export const organizationMembers = sequence([MEMBERS, INVITATIONS], async (request, execute) => [
  ...(await MEMBERS.run(request, execute)),
  ...(await INVITATIONS.run(request, execute)),
]);

const PROJECT_MEMBERS = storedOperation(ListProjectMembersDocument);
const PROJECT_INVITATIONS = storedOperation(ListProjectInvitationsDocument);

/** Marks a cursor within the invitations, which follow the members. */
const INVITED = 'invited.';

interface RecordPage {
  records: unknown[];
  cursor: string;
}

async function invitationPage(
  request: RestRequest,
  execute: Execute,
  first: number,
  after: string | null,
): Promise<RecordPage> {
  const { projectId } = projectPath(request);
  const filter = memberFilterIn(request.query);
  const { project } = await execute(PROJECT_INVITATIONS, { projectId, filter, first, after });
  const { nodes, pageInfo } = requireProject(project, request).invitations;
  const cursor = pageInfo.hasNextPage ? INVITED + pageInfo.endCursor : END_CURSOR;
  return { records: nodes.map(projectInvitationRecord), cursor };
}

/** The members, and once they end, invitations up to the size of the page: clients may stop at a shorter one. */
async function memberPage(request: RestRequest, execute: Execute): Promise<RecordPage> {
  const { first, after } = request.page;
  if (after?.startsWith(INVITED))
    return invitationPage(request, execute, first, after.slice(INVITED.length) || null);
  const { projectId } = projectPath(request);
  const filter = memberFilterIn(request.query);
  const { project } = await execute(PROJECT_MEMBERS, { projectId, filter, first, after });
  const { nodes, pageInfo } = requireProject(project, request).members;
  const records = nodes.map(projectMemberRecord);
  if (first === 0) return { records, cursor: END_CURSOR };
  if (pageInfo.hasNextPage) return { records, cursor: pageInfo.endCursor ?? END_CURSOR };
  if (nodes.length === first) return { records, cursor: INVITED };
  const invited = await invitationPage(request, execute, first - nodes.length, null);
  return { records: [...records, ...invited.records], cursor: invited.cursor };
}

/** Page by page, for `getAll`. */
const allMembers = (request: RestRequest, execute: Execute): Promise<unknown[]> =>
  readAllPages(async (after) => {
    const { records, cursor } = await memberPage({ ...request, page: { first: PAGE_SIZE, after } }, execute);
    return { nodes: records, pageInfo: { endCursor: cursor, hasNextPage: cursor !== END_CURSOR } };
  });

/** The members of a project, and then the invited people who join it, as far as the caller sees them. */
export const projectMembers = sequence([PROJECT_MEMBERS, PROJECT_INVITATIONS], async (request, execute) => {
  if (request.query.flag('getAll'))
    return { ProjectMembers: await allMembers(request, execute), Cursor: END_CURSOR, PageSize: 0 };
  const { records, cursor } = await memberPage(request, execute);
  return { ProjectMembers: records, Cursor: cursor, PageSize: request.page.first };
});
