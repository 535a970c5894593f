import type { GraphQLObjectType } from 'graphql';
import type { Relation } from '../../domain/kernel/relation.ts';
import { memoize } from '../../lib/memoize.ts';
import type { FieldPlan, Shape } from './plan.ts';

const known = new WeakMap<FieldPlan, readonly Relation[]>();

/** The relations that are selected of the row that a field answers with, or of each row of a connection. */
export const relationsOf = (field: FieldPlan): readonly Relation[] =>
  memoize(known, field, () => {
    const type = objectOf(field.shape);
    if (!type) return [];
    if (!type.name.endsWith('Connection')) return relationsIn(field, type);
    return rowFields(field, type).flatMap((row) => relationsIn(row, objectOf(row.shape)));
  });

const relationsIn = (field: FieldPlan, type: GraphQLObjectType | undefined): Relation[] =>
  type ? field.fieldsOf(type).flatMap(({ relation, includes }) => relation ?? includes ?? []) : [];

/** The fields of a connection that are its rows: `nodes`, and `node` of `edges`. */
function rowFields(field: FieldPlan, type: GraphQLObjectType): FieldPlan[] {
  return field.fieldsOf(type).flatMap((below) => {
    const item = objectOf(below.shape);
    if (below.name === 'nodes') return below;
    return below.name === 'edges' && item ? below.fieldsOf(item).filter(({ name }) => name === 'node') : [];
  });
}

function objectOf(shape: Shape): GraphQLObjectType | undefined {
  if (shape.kind === 'list') return objectOf(shape.item);
  return shape.kind === 'object' ? shape.type : undefined;
}
