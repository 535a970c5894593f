import { APPLICATION_SCOPES, type ApplicationScope, isIdentityScope } from '../../../domain/kernel/scope.ts';
import { SCOPE_TEXTS } from '../../../domain/kernel/scope-text.ts';
import { builder } from './builder.ts';

const BROAD: Partial<Record<ApplicationScope, string>> = {
  read: 'Queries: read what its owner can read. Includes every scope that reads.',
  write:
    'Mutations: change what its owner can change. Includes every scope that writes; for an application all but `members:write`.',
};

/** Its name in GraphQL: DOCUMENTS_READ for `documents:read`. */
const enumName = (scope: ApplicationScope): string => scope.toUpperCase().replace(':', '_');

const originOf = (scope: ApplicationScope): string =>
  isIdentityScope(scope)
    ? `The scope \`${scope}\` of OpenID Connect, for applications alone; it gives no right in GraphQL and REST v1.`
    : `The scope \`${scope}\` of OAuth and REST v1.`;

const descriptionOf = (scope: ApplicationScope): string =>
  `${BROAD[scope] ?? `${SCOPE_TEXTS[scope].text}.`} ${originOf(scope)}`;

export const Scope = builder.enumType('Scope', {
  description:
    'What a credential may be used for, in GraphQL and in REST v1, and whom it names to an application.',
  values: Object.fromEntries(
    APPLICATION_SCOPES.map((scope) => [enumName(scope), { value: scope, description: descriptionOf(scope) }]),
  ) as Record<string, { value: ApplicationScope; description: string }>,
});
