import type { Members } from '../wire/members.ts';
import type { WireNames } from '../wire/names.ts';
import type { Declaration, Shape, TypeText } from './shape.ts';

/** A member of the graph's input, and how it is read from the body. */
export interface InputMember<Value> {
  /** The members of the body that it is read from; `!` ends the type of a required one. */
  members: Readonly<Record<string, TypeText>>;
  /** The caller's names by what follows the member's name in a path of the graph's input; '' for the member itself. */
  names: WireNames;
  /** The caller's names for the members of the objects in it. */
  nestedNames?: WireNames;
  read: (item: Members) => Value;
}

/** The members of an input by their names in the graph. */
export type InputMembers<Value> = { readonly [Name in keyof Value]: InputMember<Value[Name]> };

/** An object of a body: a function that reads it as an input of the graph, the caller's names, and the description. */
export interface InputReader<Value> extends Declaration {
  (item: Members): Value;
  /** The caller's names for the members of the graph's input. */
  names: WireNames;
}

interface Description {
  example?: Shape['example'];
  /** Members that have no name in the graph; they come first. */
  besides?: Readonly<Record<string, TypeText>>;
}

/** Declares an object of a body. Members are read, and described, in the order of `members`. */
export function input<Value extends object>(
  shapeName: string,
  about: string,
  members: InputMembers<Value>,
  { example, besides }: Description = {},
): InputReader<Value> {
  const shape: Shape = {
    about,
    members: { ...besides, ...wireMembers(members) },
    ...(example && { example }),
  };
  const names = { ...nestedNamesOf(members), ...namesOf(members) };
  return Object.assign(readerOf(members), { names, shapeName, shape });
}

/**
 * One member of the graph that several members of the body make up. `combine` reads those that it needs. The parts have
 * their own names below the member.
 */
export const combined = <Parts extends object, Value>(
  parts: InputMembers<Parts>,
  combine: (item: Members, parts: InputMembers<Parts>) => Value,
): InputMember<Value> => ({
  members: wireMembers(parts),
  names: Object.fromEntries(Object.entries(namesOf(parts)).map(([part, name]) => [`.${part}`, name])),
  nestedNames: nestedNamesOf(parts),
  read: (item) => combine(item, parts),
});

const wireMembers = <Value extends object>(members: InputMembers<Value>): Shape['members'] =>
  Object.assign({}, ...Object.values<InputMember<unknown>>(members).map((each) => each.members));

const namesOf = <Value extends object>(members: InputMembers<Value>): WireNames =>
  Object.fromEntries(
    Object.entries<InputMember<unknown>>(members).flatMap(([graphName, { names }]) =>
      Object.entries(names).map(([below, name]) => [`${graphName}${below}`, name]),
    ),
  );

const nestedNamesOf = <Value extends object>(members: InputMembers<Value>): WireNames =>
  Object.assign({}, ...Object.values<InputMember<unknown>>(members).map(({ nestedNames }) => nestedNames));

const readerOf =
  <Value extends object>(members: InputMembers<Value>) =>
  (item: Members): Value => {
    const value: Partial<Value> = {};
    for (const name in members) value[name] = members[name].read(item);
    return value as Value; // with each of `members`
  };
