interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** A list whole, for where the contract has a bare array: page after page, until the last. */
export async function whole<Node>(
  pageAfter: (page: { first: number; after: string | null }) => Promise<Connection<Node>>,
): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let after: string | null | undefined = null; ; ) {
    const page: Connection<Node> = await pageAfter({ first: 100, after: after ?? null });
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return nodes;
    after = page.pageInfo.endCursor;
  }
}
