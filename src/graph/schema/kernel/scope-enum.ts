import { builder } from './builder.ts';

export const Scope = builder.enumType('Scope', {
  description: 'What a credential may be used for, in GraphQL and in REST v1.',
  values: {
    read: { description: 'Queries: read what its owner can read.' },
    write: { description: 'Mutations: change what its owner can change.' },
  } as const,
});
