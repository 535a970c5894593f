import type { CodegenConfig } from '@graphql-codegen/cli';

/** The types of the stored operations, from the schema and the .graphql files beside the REST rows, the pages and the tools of agents. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/rest/**/*.graphql', 'src/web/**/*.graphql', 'src/mcp/**/*.graphql'],
  generates: {
    'src/generated/operations/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: { input: 'string', output: 'string' }, BigInt: 'number', ID: 'string' },
      },
    },
  },
  emitLegacyCommonJSImports: false,
};

export default config;
