import { text, time as timeOrZero } from '../wire/values.ts';
import { type Declaration, type Shape, type TypeText, typeText } from './shape.ts';

/** A member of a record: its type, how it is read from a row of the graph, and what OpenAPI says about it. */
export interface RecordMember<Row> {
  type: TypeText;
  read: (row: Row) => unknown;
  /** Left out where the shared meanings (openapi/contract/meanings.ts) have the name. */
  about?: string | undefined;
  /** A value for examples. */
  sample?: unknown;
}

export type RecordMembers<Row> = Readonly<Record<string, RecordMember<Row>>>;

/** A record of a response: a function that writes a row of the graph in the members of the wire, and their description. */
export interface RecordWriter<Row> extends Declaration {
  (row: Row): Record<string, unknown>;
}

/** Declares a record. Members are written, and described, in the order of `members`. */
export function record<Row>(
  shapeName: string,
  about: string,
  members: RecordMembers<Row>,
  example: Shape['example'] = {},
): RecordWriter<Row> {
  const entries = Object.entries(members);
  const write = (row: Row) => {
    const written: Record<string, unknown> = {};
    for (const [name, { read }] of entries) written[name] = read(row);
    return written;
  };
  const samples = entries.flatMap(([name, { sample }]) => (sample === undefined ? [] : [[name, sample]]));
  const shape: Shape = {
    about,
    members: Object.fromEntries(entries.map(([name, each]) => [name, typeText(each.type, each.about)])),
    example: { ...Object.fromEntries(samples), ...example },
  };
  return Object.assign(write, { shapeName, shape });
}

/** A member of a type that has no function of its own below. */
export const member = <Row>(
  type: TypeText,
  read: (row: Row) => unknown,
  about?: string,
  sample?: unknown,
): RecordMember<Row> => ({ type, read, about, sample });

type Declare<Value> = <Row>(read: (row: Row) => Value, about?: string, sample?: unknown) => RecordMember<Row>;

/** A text; empty for null. */
export const string: Declare<string | null | undefined> = (read, ...description) =>
  member('string', (row) => text(read(row)), ...description);

/** A text in lower case. */
export const lower: Declare<string | null | undefined> = (read, ...description) =>
  member('string', (row) => text(read(row)).toLowerCase(), ...description);

/** A time; the zero time for null. */
export const time: Declare<string | null | undefined> = (read, ...description) =>
  member('time', (row) => timeOrZero(read(row)), ...description);

/** A whole number; 0 for null. */
export const integer: Declare<number | null | undefined> = (read, ...description) =>
  member('integer', (row) => read(row) ?? 0, ...description);

export const number: Declare<number> = (read, ...description) => member('number', read, ...description);

export const boolean: Declare<boolean> = (read, ...description) => member('boolean', read, ...description);

export const strings: Declare<readonly string[]> = (read, ...description) =>
  member('string[]', read, ...description);

/** A record in a record. */
export const one = <Row, Part>(
  part: RecordWriter<Part>,
  read: (row: Row) => Part,
  about?: string,
): RecordMember<Row> => member(part.shapeName, (row) => part(read(row)), about);

/** A list of records. */
export const many = <Row, Part>(
  part: RecordWriter<Part>,
  read: (row: Row) => readonly Part[],
  about?: string,
): RecordMember<Row> => member(`${part.shapeName}[]`, (row) => read(row).map((each) => part(each)), about);

/** The same member, for which the contract also allows null. */
export const nullable = <Row>(each: RecordMember<Row>): RecordMember<Row> => ({
  ...each,
  type: each.type.endsWith('?') ? each.type : `${each.type}?`,
});

/** Some members of a record, in this order. Throws for a name that it does not have. */
export const pick = <Row>(members: RecordMembers<Row>, ...names: string[]): RecordMembers<Row> =>
  Object.fromEntries(
    names.map((name) => {
      const each = members[name];
      if (!each) throw new Error(`The record has no member ${name}.`);
      return [name, each];
    }),
  );

export const allNullable = <Row>(members: RecordMembers<Row>): RecordMembers<Row> =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name, nullable(each)]));

interface Person {
  id: string;
  name: string;
  email: string;
}

/** The order in which most records have the members of a person. */
const PERSON = ['ID', 'Email', 'Name'] as const;

const PERSON_TEXTS = {
  ID: (person?: Person | null) => person?.id,
  Name: (person?: Person | null) => person?.name,
  Email: (person?: Person | null) => person?.email,
};

/** The members `<Verb>ByUserID`, `-Email` and `-Name`; empty without a person. */
export const by = <Row>(
  verb: string,
  read: (row: Row) => Person | null | undefined,
  order: readonly (keyof typeof PERSON_TEXTS)[] = PERSON,
): RecordMembers<Row> =>
  Object.fromEntries(
    order.map((part) => [`${verb}ByUser${part}`, string((row: Row) => PERSON_TEXTS[part](read(row)))]),
  );
