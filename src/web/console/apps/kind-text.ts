import type { ClientKind } from '../../../generated/operations/graphql.ts';
import { KINDS } from './entered.ts';

/** Where an application runs, as the form names it. */
export const kindOf = ({ kind, native }: { kind: ClientKind; native: boolean }): string =>
  native ? 'NATIVE' : kind;

export const kindText = (app: { kind: ClientKind; native: boolean }): string =>
  KINDS.find(({ value }) => value === kindOf(app))?.text ?? app.kind;
