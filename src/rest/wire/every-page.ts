interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: { endCursor?: string | null; hasNextPage: boolean };
}

/**
 * The whole of a list that answers as a bare array (contract, "Paging"), or `most` of it: `read` gives the page after
 * a cursor.
 */
export async function everyPage<Node>(
  read: (after: string | null) => Promise<Connection<Node>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Node[]> {
  const nodes: Node[] = [];
  let after: string | null | undefined = null;
  do {
    const page: Connection<Node> = await read(after);
    nodes.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after && nodes.length < most);
  return nodes.slice(0, most);
}
