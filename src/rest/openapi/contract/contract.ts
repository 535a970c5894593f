/**
 * The wire contract in data. A type in short: `string`, `time`, `integer`, `number`, `boolean`, or the name of a shape;
 * `{x}` is a map of texts to x, `x[]` an array, and `x?` may be null. After a space, what it means.
 */
export type Short = string;

/** A record of the wire. Every member is in every answer; `example` says where one differs from the samples. */
export interface Shape {
  about: string;
  members: Readonly<Record<string, Short>>;
  example?: Readonly<Record<string, unknown>>;
}

/** What a member means, and a value for examples, by the member's name. */
export type Meanings = Readonly<Record<string, readonly [meaning: string, sample?: unknown]>>;

export interface Records {
  shapes: Readonly<Record<string, Shape>>;
  meanings: Meanings;
}

/** One page of a list, with the member that holds it; `events` can also be followed backwards. */
export interface Page {
  key: string;
  of: string;
  events?: boolean;
}

export interface Operation {
  /** One line: what it does. */
  says: string;
  /** What else a caller has to know. */
  more?: string;
  /** Parameters beside the path's and the cursor; `!` after the type of those that are needed. */
  query?: Readonly<Record<string, Short>>;
  /** A reader that makes what is not there yet. */
  makes?: true;
  body?: Short;
  /** A body of plain text that it takes as well, and what it means. */
  textBody?: string;
  /** Left out where the answer is empty. */
  answer?: Short | Page;
  /** The media type of plain text that it may answer instead, and when. */
  textAnswer?: readonly [type: string, when: string];
}

/** The operations of one area, by the ids of their rows, and what they take. */
export interface Area {
  title: string;
  about: string;
  /** Members marked `!` are needed; the others may be left out or null. */
  inputs?: Readonly<Record<string, Shape>>;
  operations: Readonly<Record<string, Operation>>;
}
