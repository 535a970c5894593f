/**
 * A type of the wire contract, written as `string`, `time`, `integer`, `number`, `boolean`, or the name of a shape; `{x}` is
 * a map from strings to x, `x[]` an array, and `x?` may be null. A space and a description may follow.
 */
export type TypeText = string;

/** An object on the wire as OpenAPI describes it. `example` overrides sample values. */
export interface Shape {
  about: string;
  members: Readonly<Record<string, TypeText>>;
  example?: Readonly<Record<string, unknown>>;
}

/** A type text of a type and its description, if there is one. */
export const typeText = (type: string, about = ''): TypeText => (about ? `${type} ${about}` : type);

/** What a record or an input declares: a shape by its name. */
export interface Declaration {
  shapeName: string;
  shape: Shape;
}

export const shapesOf = (declarations: readonly Declaration[]): Record<string, Shape> =>
  Object.fromEntries(declarations.map(({ shapeName, shape }) => [shapeName, shape]));
