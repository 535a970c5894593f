import type { GraphQLObjectType } from 'graphql';
import type { Relation } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';
import type { FieldPlan, Shape } from './plan.ts';

const cache = new WeakMap<FieldPlan, readonly Relation[]>();

/** The relations selected of a field's row, or of each row of its connection. */
export const relationsOf = (field: FieldPlan): readonly Relation[] =>
  memoize(cache, field, () => {
    const type = objectOf(field.shape);
    if (!type) return [];
    if (!type.name.endsWith('Connection')) return relationsIn(field, type);
    return rowFields(field, type).flatMap((row) => relationsIn(row, objectOf(row.shape)));
  });

const relationsIn = (field: FieldPlan, type: GraphQLObjectType | undefined): Relation[] =>
  type ? field.fieldsOf(type).flatMap(({ relation, includes }) => relation ?? includes ?? []) : [];

/** The fields of a connection that hold its rows: `nodes`, and `node` of `edges`. */
function rowFields(field: FieldPlan, type: GraphQLObjectType): FieldPlan[] {
  return field.fieldsOf(type).flatMap((child) => {
    const item = objectOf(child.shape);
    if (child.name === 'nodes') return child;
    return child.name === 'edges' && item ? child.fieldsOf(item).filter(({ name }) => name === 'node') : [];
  });
}

function objectOf(shape: Shape): GraphQLObjectType | undefined {
  if (shape.kind === 'list') return objectOf(shape.item);
  return shape.kind === 'object' ? shape.type : undefined;
}
