import graphql from '@graphql-eslint/eslint-plugin';

/** The rules of graphql-eslint and Relay over the printed schema; Biome checks everything else. */
const { configs } = graphql;
const rule = (name) => `@graphql-eslint/${name}`;

/** Conventions that were decided otherwise. */
const OTHERWISE = {
  [rule('alphabetize')]: 'off', // related fields stand together
  [rule('no-root-type')]: 'off',
  [rule('no-typename-prefix')]: 'off', // Folder.folders: the folders in a folder
  [rule('require-nullable-result-in-root')]: 'off', // a failed mutation has no data at all
  [rule('require-field-of-type-query-in-mutation-result')]: 'off', // a payload has what changed
  [rule('strict-id-in-types')]: 'off', // test/graph/schema/conventions.test.ts: an id belongs to one type
  // a payload lists nodes; a search hit, an approver … are views of nodes
  [rule('relay-edge-types')]: [
    'error',
    { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
  ],
};

export default [
  {
    files: ['schema.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: { ...configs['flat/schema-all'].rules, ...configs['flat/schema-relay'].rules, ...OTHERWISE },
  },
];
