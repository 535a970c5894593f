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

/** What a leaf is in JSON, where its value is the one of the row as it came. */
const FORMS: Record<string, Form> = {
  ID: 'TEXT',
  String: 'TEXT',
  Int: 'INTEGER',
  BigInt: 'BIG_INTEGER',
  Boolean: 'BOOLEAN',
  DateTime: 'INSTANT',
};

/** Members of an object in the answer, or a whole object: where they stand in what a run has written. */
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

/** Fields next to each other that are members of the row: written in one go where the row can be. */
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

  /** Undefined, with nothing written, where they have to be read one by one. */
  write(source: unknown, json: JsonBytes): Written | undefined {
    const from = json.length;
    return this.#write(source, json) ? new Written(from, json.length, false) : undefined;
  }

  /** The same of an object of which nothing else is selected. */
  writeWhole(source: unknown, json: JsonBytes): Written | undefined {
    const from = json.length;
    json.ascii('{');
    const written = this.#write(source, json);
    if (written) json.ascii('}');
    else json.back(from);
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

const known = new WeakMap<readonly FieldPlan[], Pieces>();

/** A selection in the order of its fields, those together that can be written in one go. */
export const piecesOf = (fields: readonly FieldPlan[]): Pieces =>
  memoize(known, fields, () => takeApart(fields));

function takeApart(fields: readonly FieldPlan[]): Pieces {
  const pieces: (FieldPlan | FieldPlan[])[] = [];
  for (const field of fields) {
    const last = pieces.at(-1);
    if (!isPlain(field)) pieces.push(field);
    else if (Array.isArray(last)) last.push(field);
    else pieces.push([field]);
  }
  return pieces.map((piece) => (Array.isArray(piece) ? new Leaves(piece) : piece));
}

/** A whole selection, where it can be written in one go. */
export function wholeOf(fields: readonly FieldPlan[]): Leaves | undefined {
  const [first, ...others] = piecesOf(fields);
  return first instanceof Leaves && others.length === 0 ? first : undefined;
}
