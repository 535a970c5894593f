import type { Database } from '../../../../src/db/database.ts';

/** What the graph has of a project, as far as it has a past. */
export const PROJECT = `id name access disabled version modifiedAt organizationId createdAt createdBy { id name } modifiedBy { id }
  settings { documentRootLabel publicFace { paperColor } }
  folders(anyDepth: true, first: 20) { totalCount nodes { id name hexColor depth ancestorIds path assigneeEmails
    inheritedAssigneeEmails version modifiedAt parent { id name } folders(first: 5) { nodes { id } } documents(first: 5) { nodes { id } } } }
  documents(first: 20) { totalCount nodes { ...Doc } }
  recycled: documents(first: 10, filter: { state: RECYCLED }) { nodes { ...Doc } }
  byName: documents(first: 5, filter: { namePrefix: "a" }, orderBy: { field: NAME }) { nodes { id } }
  fields { nodes { id name rank required version } }`;

export const DOCUMENT = `fragment Doc on Document { id name state size contentType pageCount revisionNumber tags assigneeEmails version modifiedAt
  recycledAt fieldValues { field { id name } values } folder { id name } project { id } currentRevision { number name sha256 }
  revisions(first: 3) { nodes { number } } }`;

/** The number of the last event of an organization. */
export const lastSequence = async (db: Database, organizationId: string): Promise<number> =>
  Number((await db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId } })).sequence);
