import { LISTS_OF_CONTENT } from './lists/content.ts';
import type { List, PersonName } from './lists/list.ts';
import { LISTS_OF_PEOPLE } from './lists/people.ts';
import { LISTS_OF_WORK } from './lists/work.ts';
import type { Operation, Site } from './site.ts';

/** The pages of one list for one person: the first, the next, a late one, the last backwards; and the number of its rows. */
const PAGES = ['first', 'next', 'late', 'last', 'count'] as const;

type PageName = (typeof PAGES)[number];

const SIZE = 25;

const queryOf = ({ parent, field, select }: List, args: string, page: string, what: string) => {
  const open = `${parent} { ${field}(${[page, args].filter(Boolean).join(', ')})`;
  const closing = '}'.repeat((open.match(/\{/g)?.length ?? 0) - (open.match(/\}/g)?.length ?? 0));
  return `{ ${open} { ${what} nodes { ${select} } } ${closing} }`;
};

interface Connection {
  pageInfo: { startCursor: string | null; endCursor: string | null };
}

/** The connection in an answer: the only member of each object on the way. */
function connectionOf(data: unknown): Connection {
  let at = data as Record<string, unknown>;
  while (!('pageInfo' in at)) at = Object.values(at)[0] as Record<string, unknown>;
  return at as unknown as Connection;
}

/** Arguments of a page of a list, which depend on cursors in it. A list shorter than two pages has its first page as each. */
async function pageArgs(
  site: Site,
  list: List,
  as: PersonName,
  args: string,
  page: PageName,
): Promise<string> {
  const read = async (window: string) =>
    connectionOf(await site.answer(as, queryOf(list, args, window, 'pageInfo { startCursor endCursor }')))
      .pageInfo;
  const first = `first: ${SIZE}`;
  const last = `last: ${SIZE}`;
  if (page === 'first' || page === 'count') return first;
  if (page === 'last') return last;
  if (page === 'next') return `${first}, after: ${JSON.stringify((await read(first)).endCursor)}`;
  const end = (await read(last)).startCursor;
  const before = (await read(`${last}, before: ${JSON.stringify(end)}`)).startCursor;
  return `${first}, after: ${JSON.stringify(before)}`;
}

const operationOf = (list: List, as: PersonName, args: string, page: PageName): Operation => ({
  name: [`${list.name} (${as})`, args, page].filter(Boolean).join(', '),
  as,
  async prepare(site) {
    const window = await pageArgs(site, list, as, args, page);
    const query = queryOf(
      list,
      args,
      window,
      page === 'count' ? 'totalCount' : 'pageInfo { hasNextPage hasPreviousPage }',
    );
    return () => ({ query });
  },
});

export const pageOperations: Operation[] = [
  ...LISTS_OF_WORK,
  ...LISTS_OF_PEOPLE,
  ...LISTS_OF_CONTENT,
].flatMap((list) =>
  list.as.flatMap((as) =>
    list.args.flatMap((args) => PAGES.map((page) => operationOf(list, as, args, page))),
  ),
);
