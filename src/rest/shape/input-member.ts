import type { Members } from '../wire/members.ts';
import type { InputMember, InputReader } from './input.ts';
import { type TypeText, typeText } from './shape.ts';

/** A member that is read from one member of the body. The descriptions are those of OpenAPI, as of records. */
const declare =
  <Value>(type: TypeText, read: (item: Members, name: string) => Value) =>
  (name: string, about?: string): InputMember<Value> => ({
    members: { [name]: typeText(type, about) },
    names: { '': name },
    read: (item) => read(item, name),
  });

export const text = declare('string', (item, name) => item.text(name));
export const requiredText = declare('string!', (item, name) => item.required(name));

/** A text; undefined if it is empty. */
export const filledText = declare('string', (item, name) => item.text(name) || undefined);

/** A text; null, which removes the value, if it is empty. */
export const clearableText = declare('string', (item, name) => {
  const value = item.text(name);
  return value === '' ? null : value;
});

export const time = declare('string', (item, name) => item.time(name));
export const integer = declare('integer', (item, name) => item.integer(name));
export const number = declare('number', (item, name) => item.number(name));
export const flag = declare('boolean', (item, name) => item.flag(name));
export const texts = declare('string[]', (item, name) => item.texts(name));
export const requiredTexts = declare('string[]!', (item, name) => item.requiredTexts(name));

/** One of the terms of the contract, which stand for values of the graph. */
export const term = <Key extends string>(name: string, terms: Record<Key, string>, about?: string) =>
  declare('string', (item) => item.term(name, terms))(name, about);

export const requiredTerm = <Key extends string>(name: string, terms: Record<Key, string>, about?: string) =>
  declare('string!', (item) => item.requiredTerm(name, terms))(name, about);

export const object = <Value>(name: string, of: InputReader<Value>, about?: string) => ({
  ...declare(of.shapeName, (item) => mapIfGiven(item.object(name), of))(name, about),
  nestedNames: of.names,
});

export const objects = <Value>(name: string, of: InputReader<Value>, about?: string) => ({
  ...declare(`${of.shapeName}[]`, (item) => item.objects(name)?.map((each) => of(each)))(name, about),
  nestedNames: of.names,
});

/** The member with another value for the graph. */
export const mapped = <From, To>(from: InputMember<From>, to: (value: From) => To): InputMember<To> => ({
  ...from,
  read: (item) => to(from.read(item)),
});

const mapIfGiven = <From, To>(value: From | undefined, to: (value: From) => To): To | undefined =>
  value === undefined ? undefined : to(value);
