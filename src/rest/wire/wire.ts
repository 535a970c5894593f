/** An unset time (contract, "JSON style"): members are never absent. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

export const time = (value: string | null | undefined): string => value ?? ZERO_TIME;

/** A time that a client leaves unset, with or without a fraction. */
export const isZeroTime = (value: string | undefined): boolean =>
  value !== undefined && /^(?:0001-01-01T00:00:00(?:\.0+)?Z)?$/i.test(value);

export const text = (value: string | null | undefined): string => value ?? '';

interface Author {
  id: string;
  name: string;
  email: string;
}

/** `<Verb>ByUserID`, `-Name` and `-Email`, empty where nobody did. */
export const by = <Verb extends string>(verb: Verb, user: Author | null | undefined) =>
  ({
    [`${verb}ByUserID`]: text(user?.id),
    [`${verb}ByUserName`]: text(user?.name),
    [`${verb}ByUserEmail`]: text(user?.email),
  }) as Record<`${Verb}ByUser${'ID' | 'Name' | 'Email'}`, string>;

/** The application that acted for them, of an event; empty where none did. */
export const through = (application: Omit<Author, 'email'> | null | undefined) => ({
  ApplicationID: text(application?.id),
  ApplicationName: text(application?.name),
});

/** An answer of plain text (contract, "JSON style"); `type` is its media type. */
export class PlainText {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** The same, sent piece by piece as it is made; browsers save it as a file of this name. */
export class StreamedText {
  readonly type: string;
  readonly name: string;
  readonly pieces: AsyncIterable<string>;

  constructor(type: string, name: string, pieces: AsyncIterable<string>) {
    this.type = type;
    this.name = name;
    this.pieces = pieces;
  }
}

/** What `cursor` says once a list has ended; it is no cursor of any list, and answers an empty page. */
export const END_CURSOR = 'end';

interface Connection<Node> {
  nodes: readonly Node[];
  pageInfo: { endCursor?: string | null };
}

/**
 * One page. The last one carries a cursor too, which leads to an empty page: some clients stop at a short page, others
 * go on until one is empty (contract, "Paging").
 */
export const pageRecord = <Node>(
  key: string,
  { nodes, pageInfo }: Connection<Node>,
  size: number,
  record: (node: Node) => unknown,
) => ({ [key]: nodes.map(record), Cursor: pageInfo.endCursor ?? END_CURSOR, PageSize: size });
