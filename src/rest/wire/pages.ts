import { text } from './values.ts';

export interface PageInfo {
  endCursor?: string | null;
  hasNextPage: boolean;
}

export interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: PageInfo;
}

/** `cursor` after the end of a list. It is no cursor of any list, and answers an empty page. */
export const END_CURSOR = 'end';

/**
 * One page. The last page has a cursor too, which leads to an empty page: some clients stop at a short page, others
 * go on until a page is empty (contract, "Paging"). `size` is 0 for a complete list.
 */
export const pageRecord = <Node>(
  key: string,
  { nodes, pageInfo }: { nodes: readonly Node[]; pageInfo: Pick<PageInfo, 'endCursor'> },
  size: number,
  record: (node: Node) => unknown,
) => ({ [key]: nodes.map(record), Cursor: pageInfo.endCursor ?? END_CURSOR, PageSize: size });

/** A page of events, which also has the cursor of its first item. */
export const eventPageRecord = <Node>(
  key: string,
  page: Parameters<typeof pageRecord<Node>>[1] & { pageInfo: { startCursor?: string | null } },
  size: number,
  record: (node: Node) => unknown,
) => ({ ...pageRecord(key, page, size, record), ReverseCursor: text(page.pageInfo.startCursor) });

/** Reads a list page by page to its end, or to `limit` nodes. `readPage` returns the page after a cursor. */
export async function readAllPages<Node>(
  readPage: (after: string | null) => Promise<Connection<Node>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null | undefined = null;
  do {
    const page: Connection<Node> = await readPage(after);
    nodes.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after && nodes.length < limit);
  return nodes.slice(0, limit);
}
