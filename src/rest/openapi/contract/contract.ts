import type { Shape, TypeText } from '../../shape/shape.ts';

/** What a member means, and a value for examples, by the member's name. */
export type Meanings = Readonly<Record<string, readonly [meaning: string, sample?: unknown]>>;

export interface Records {
  shapes: Readonly<Record<string, Shape>>;
  meanings: Meanings;
}

/** One page of a list, with the member that contains the items; `events` can also be followed backwards. */
export interface Page {
  key: string;
  of: string;
  events?: boolean;
  /** The name of the schema, where another page has a list of the same key. */
  name?: string;
  /** A record whose members stand beside the list. */
  beside?: string;
}

export interface Operation {
  /** One line: what it does. */
  summary: string;
  /** What else a caller has to know. */
  details?: string;
  /** Query parameters other than the cursor; the type of a required one ends in `!`. */
  query?: Readonly<Record<string, TypeText>>;
  /** A GET that creates the object if there is none. */
  creates?: true;
  body?: TypeText;
  /** The meaning of a plain-text body and an example, if the operation accepts one instead of JSON. */
  textBody?: readonly [meaning: string, example: string];
  /** Absent if the response has no body. */
  answer?: TypeText | Page;
  /** The media type of a plain-text response, when it is sent instead of JSON, and an example. */
  textAnswer?: readonly [type: string, when: string, example: string];
}

/** The operations of one area by the ids of their routes, and their inputs. */
export interface Area {
  title: string;
  about: string;
  /** Members marked `!` are required; the others may be absent or null. */
  inputs?: Readonly<Record<string, Shape>>;
  operations: Readonly<Record<string, Operation>>;
}
