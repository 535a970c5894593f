import {
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  printSchema,
  visit,
} from 'graphql';
import { batchArguments } from '../operations/batch-size.ts';
import { ASSUMED_SIZE, fieldWeight, isPage, isPayload, typeWeight } from '../operations/weights.ts';

/** The default weight of an object (IBM cost directives, §4.1). */
const DEFAULT_WEIGHT = 1;

/** Items of a page without `first` and `last`, unless the server is configured otherwise. */
const PAGE_SIZE = 25;

const cost = (weight: number): string => ` @cost(weight: "${weight}")`;

const PAGE = ` @listSize(assumedSize: ${PAGE_SIZE}, slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], requireOneSlicingArgument: false)`;

/** `sizedFields`: the lists of a payload, [] for a list itself. */
function batch(field: GraphQLField<unknown, unknown>, sizedFields: string[]): string {
  const slicing = batchArguments(field).map(({ path }) => path.join('.'));
  const sized = sizedFields.length > 0 ? `, sizedFields: ${JSON.stringify(sizedFields)}` : '';
  const sliced = slicing.length > 0 ? `, slicingArguments: ${JSON.stringify(slicing)}` : '';
  const optional = sliced && ', requireOneSlicingArgument: false';
  return ` @listSize(assumedSize: ${ASSUMED_SIZE}${sliced}${sized}${optional})`;
}

const isObjectList = (type: GraphQLOutputType): boolean =>
  isList(type) && isCompositeType(getNamedType(type));

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
  return (weight > 0 ? cost(weight) : '') + (field ? sizeDirective(field, parent) : '');
}

/** Of a page, a payload with lists, and a plain list; the items of a page or payload are sized by what returns it. */
function sizeDirective(field: GraphQLField<unknown, unknown>, parent: GraphQLNamedType): string {
  const type = getNamedType(field.type);
  if (isPage(type)) return PAGE;
  if (isPage(parent) || isPayload(parent)) return '';
  if (isPayload(type) && isObjectType(type)) {
    const lists = Object.values(type.getFields()).filter((each) => isObjectList(each.type));
    return lists.length > 0
      ? batch(
          field,
          lists.map(({ name }) => name),
        )
      : '';
  }
  return isObjectList(field.type) ? batch(field, []) : '';
}
