import type { DocumentNode } from 'graphql';
import type { GraphContext } from '../engine/context.ts';

/** An operation whose document is parsed and validated. */
export interface Operation {
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Record<string, unknown> | null;
  contextValue: GraphContext;
}
