import type { GraphQLLeafType } from 'graphql';
import {
  type Form,
  type JsonBytes,
  type Member,
  UNREAD,
  type Unread,
  type WriteMembers,
} from '../../lib/json-bytes.ts';
import { memoize } from '../../lib/memoize.ts';
import type { FieldPlan } from './plan.ts';

/** The JSON form of scalars whose value is the column's, unchanged. */
const FORMS: Record<string, Form> = {
  ID: 'TEXT',
  String: 'TEXT',
  Int: 'INTEGER',
  BigInt: 'BIG_INTEGER',
  Boolean: 'BOOLEAN',
  DateTime: 'INSTANT',
};

/** Bytes of a run's buffer: members of an object of the response, or a whole object. */
export class Written {
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;

  constructor(from: number, to: number, isWhole: boolean) {
    this.from = from;
    this.to = to;
    this.isWhole = isWhole;
  }
}

type Writers = Unread[typeof UNREAD];

/** Adjacent fields that are columns of the row: written from its bytes where the row allows it. */
export class Leaves {
  readonly fields: readonly FieldPlan[];
  readonly #members: readonly Member[];
  readonly #writers = new WeakMap<Writers, { write: WriteMembers | undefined }>();

  constructor(fields: readonly FieldPlan[]) {
    this.fields = fields;
    this.#members = fields.map(({ key, name, shape }) => ({
      key,
      name,
      nullable: shape.nullable,
      form: formOf(shape) as Form,
    }));
  }

  /** Undefined, with nothing written, where the fields have to be resolved one by one. */
  write(source: unknown, json: JsonBytes): Written | undefined {
    const from = json.length;
    return this.#write(source, json) ? new Written(from, json.length, false) : undefined;
  }

  /** The same with braces, for an object of which nothing else is selected. */
  writeWhole(source: unknown, json: JsonBytes): Written | undefined {
    const from = json.length;
    json.ascii('{');
    const written = this.#write(source, json);
    if (written) json.ascii('}');
    else json.truncate(from);
    return written ? new Written(from, json.length, true) : undefined;
  }

  #write(source: unknown, json: JsonBytes): boolean {
    const unread = (source as Partial<Unread> | undefined)?.[UNREAD];
    if (!unread) return false;
    const { write } = memoize(this.#writers, unread, () => ({ write: unread.writerOf(this.#members) }));
    return write?.(source as object, json) ?? false;
  }
}

const formOf = (shape: FieldPlan['shape']): Form | undefined =>
  shape.kind === 'leaf' ? FORMS[(shape.type as GraphQLLeafType).name] : undefined;

const isPlain = ({ resolve, shape }: FieldPlan): boolean => !resolve && formOf(shape) !== undefined;

type Pieces = readonly (FieldPlan | Leaves)[];

const cache = new WeakMap<readonly FieldPlan[], Pieces>();

/** A selection in the order of its fields, with adjacent columns grouped. */
export const piecesOf = (fields: readonly FieldPlan[]): Pieces =>
  memoize(cache, fields, () => groupLeaves(fields));

function groupLeaves(fields: readonly FieldPlan[]): Pieces {
  const pieces: (FieldPlan | FieldPlan[])[] = [];
  for (const field of fields) {
    const last = pieces.at(-1);
    if (!isPlain(field)) pieces.push(field);
    else if (Array.isArray(last)) last.push(field);
    else pieces.push([field]);
  }
  return pieces.map((piece) => (Array.isArray(piece) ? new Leaves(piece) : piece));
}

/** A whole selection, if all of it is columns of the row. */
export function wholeOf(fields: readonly FieldPlan[]): Leaves | undefined {
  const [first, ...others] = piecesOf(fields);
  return first instanceof Leaves && others.length === 0 ? first : undefined;
}
