import { type DocumentNode, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { DomainError } from '../domain/errors.ts';
import type { GraphContext } from './context.ts';
import { type CostLimits, costOf, requireAffordable } from './cost.ts';
import { publicError } from './errors.ts';
import { schema } from './schema.ts';
import { requireScope } from './scope.ts';
import { requireReadable } from './text-limits.ts';

export interface GraphDoor {
  limits: CostLimits;
  report: (error: unknown, requestId: string) => void;
}

/** The GraphQL door: GraphQL over HTTP for the context that the server hands in with each request. */
export const graphDoor = ({ limits, report }: GraphDoor) =>
  createYoga<GraphContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    multipart: false,
    parserAndValidationCache: true,
    graphiql: false,
    plugins: [limited(limits), told(report)],
  });

const thrown = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });

/** Scope and price are settled before the first statement is sent. */
const limited = (limits: CostLimits): Plugin<GraphContext> => ({
  onParse({ params: { source } }) {
    requireReadable(typeof source === 'string' ? source : source.body);
  },
  onExecute({ args, setResultAndStopExecution, executeFn: _, ...rest }) {
    const { document, operationName, variableValues, contextValue } = args as {
      document: DocumentNode;
      operationName?: string;
      variableValues?: Record<string, unknown>;
      contextValue: GraphContext;
    };
    void rest;
    const cost = costOf(schema, document, operationName, variableValues ?? {}, limits);
    const extensions = { cost: { requested: cost.points, limit: limits.queryCost } };
    try {
      requireScope(contextValue.viewer, document, operationName);
      requireAffordable(cost, limits);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      setResultAndStopExecution({ errors: [thrown(error)], extensions });
      return;
    }
    return {
      onExecuteDone({ result, setResult }) {
        if (Symbol.asyncIterator in result) return;
        setResult({ ...result, extensions: { ...result.extensions, ...extensions } });
      },
    };
  },
});

/** Every error leaves with a code of the closed list, and says nothing that is not meant for the caller. */
const told = (report: GraphDoor['report']): Plugin<GraphContext> => ({
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result || !result.errors) return;
    const { requestId } = serverContext as unknown as GraphContext;
    const errors = result.errors.map((error) =>
      publicError(error, requestId, (cause) => report(cause, requestId)),
    );
    setResult({ ...result, errors });
  },
});
