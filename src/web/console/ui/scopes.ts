import { IDENTITY_SCOPES } from '../../../domain/kernel/scope.ts';
import { ConsoleScopesDocument, type Scope } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import type { Choice } from './fields.tsx';
import type { Visit } from './visit.ts';

const SCOPES = storedOperation(ConsoleScopesDocument);

export const scopeText = (scope: string): string => scope.toLowerCase().replaceAll('_', ':');

/** Descriptions end with the name of the scope in OAuth, which is the label of its choice. */
const NAME_SENTENCE = / The scope `[^`]+` of OAuth and REST v1\.$/;

/** The scopes of the schema, with their descriptions; those of all areas come first. */
export async function scopeChoices({ run }: Visit): Promise<Choice[]> {
  const { __type: type } = await run(SCOPES, {});
  const choices = (type?.enumValues ?? []).map(({ name, description }) => ({
    value: name,
    text: scopeText(name),
    hint: description?.replace(NAME_SENTENCE, ''),
  }));
  const isOfArea = ({ text }: Choice) => Number(text.includes(':'));
  return choices.sort((a, b) => isOfArea(a) - isOfArea(b));
}

const IDENTITY = new Set(IDENTITY_SCOPES.map((scope) => scope.toUpperCase()));

/** Those that an API key may have. */
export const keyScopeChoices = async (visit: Visit): Promise<Choice[]> =>
  (await scopeChoices(visit)).filter(({ value }) => !IDENTITY.has(value));

/** The scopes that were checked in a form; the graph refuses what is none. */
export const checkedScopes = (form: URLSearchParams): Scope[] => form.getAll('scopes') as Scope[];
