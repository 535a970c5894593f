import type { CodegenConfig } from '@graphql-codegen/cli';

/** The types of the operations in src. Of a server elsewhere, the schema is at `/graphql/schema.graphql`. */
const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**'],
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: 'string', BigInt: 'number', ID: 'string' },
      },
    },
  },
};

export default config;
