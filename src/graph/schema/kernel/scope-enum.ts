import { builder } from './builder.ts';

export const Scope = builder.enumType('Scope', {
  description: 'What a credential may be used for, in GraphQL and REST v1 alike.',
  values: {
    read: { description: 'Queries: to see what its owner sees.' },
    write: { description: 'Mutations: to change what its owner may change.' },
  } as const,
});
