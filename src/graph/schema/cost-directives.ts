import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';

const strings = new GraphQLList(new GraphQLNonNull(GraphQLString));

/** The directives of IBM's GraphQL Cost Directives specification, which `printSchemaText` writes. */
export const COST_DIRECTIVES = [
  new GraphQLDirective({
    name: 'cost',
    description:
      'Points of a field, or of each object of a type. Without it 1 for an object and 0 for a scalar.',
    locations: [DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.OBJECT],
    args: { weight: { type: new GraphQLNonNull(GraphQLString), description: 'Points.' } },
  }),
  new GraphQLDirective({
    name: 'listSize',
    description: 'How many items a list counts with.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      assumedSize: { type: GraphQLInt, description: 'Items without any of the slicing arguments.' },
      slicingArguments: {
        type: strings,
        description:
          'Arguments that say how many items are returned: a number, or a list, which counts with its length. Of several the longest counts. A member of an argument is written with a dot.',
      },
      sizedFields: {
        type: strings,
        description: 'Fields of the returned page or payload that hold its items.',
      },
      requireOneSlicingArgument: {
        type: GraphQLBoolean,
        defaultValue: true,
        description: 'Whether one of the slicing arguments has to be sent.',
      },
    },
  }),
];
