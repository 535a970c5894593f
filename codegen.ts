import type { CodegenConfig } from '@graphql-codegen/cli';

/** The types of the stored operations, from the schema and the .graphql files beside the REST rows and the pages. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/rest/**/*.graphql', 'src/web/**/*.graphql'],
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
