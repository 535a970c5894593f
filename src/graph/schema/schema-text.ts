import {
  type FieldDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  printSchema,
  visit,
} from 'graphql';
import { ASSUMED_SIZE, fieldWeight, isPage, typeWeight } from '../operations/weights.ts';

/** The default weight of an object (IBM cost directives, §4.1). */
const DEFAULT_WEIGHT = 1;

/** Items of a page without `first` and `last`, unless the server is configured otherwise. */
const PAGE_SIZE = 25;

const cost = (weight: number): string => ` @cost(weight: "${weight}")`;

const LIST = ` @listSize(assumedSize: ${ASSUMED_SIZE})`;
const PAGE = ` @listSize(assumedSize: ${PAGE_SIZE}, slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], requireOneSlicingArgument: false)`;

const isList = (type: unknown): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/**
 * The schema in the schema definition language, sorted by name, with its costs as `@cost` and `@listSize`, which `printSchema`
 * leaves out.
 */
export function schemaText(schema: GraphQLSchema): string {
  const sorted = lexicographicSortSchema(schema);
  const text = printSchema(sorted);
  const insertions: [at: number, directives: string][] = [];
  visit(parse(text), {
    ObjectTypeDefinition(node) {
      const type = sorted.getType(node.name.value) as GraphQLNamedType;
      insertions.push([endOfHead(node), typeDirectives(sorted, type)]);
      for (const field of node.fields ?? [])
        insertions.push([field.loc?.end ?? 0, fieldDirectives(field, type)]);
    },
  });
  return insertions.reduceRight((all, [at, more]) => all.slice(0, at) + more + all.slice(at), text);
}

const endOfHead = ({ name, interfaces = [] }: ObjectTypeDefinitionNode): number =>
  (interfaces.at(-1) ?? name).loc?.end ?? 0;

function typeDirectives(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const weight = typeWeight(type);
  const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
  return isRoot || weight === DEFAULT_WEIGHT ? '' : cost(weight);
}

function fieldDirectives(node: FieldDefinitionNode, parent: GraphQLNamedType): string {
  const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
  const weight = fieldWeight(parent, node.name.value);
  const type = field && getNamedType(field.type);
  const isOwnList = type && isObjectType(type) && isList(field.type) && !isPage(parent);
  return (weight > 0 ? cost(weight) : '') + (type && isPage(type) ? PAGE : isOwnList ? LIST : '');
}
