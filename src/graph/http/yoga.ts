import { type DocumentNode, type ExecutionResult, NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { GraphContext } from '../engine/context.ts';
import { requireBounded, requireReadable } from '../operations/text-limits.ts';
import { unsupportedDirectives } from '../operations/unsupported-directives.ts';
import { schema } from '../schema/schema.ts';
import type { TextOf } from './cached-operation.ts';
import { type ErrorPublishing, toGraphQLError } from './errors.ts';
import type { Operation } from './operation.ts';
import { published } from './published.ts';
import { largeResponse } from './response-body.ts';
import { SubscriptionStream } from './subscriptions.ts';

/** The steps of the endpoint (endpoint.ts) that Yoga calls. */
export interface YogaSteps {
  textOf: TextOf;
  /** Called with each document that is parsed and valid. */
  onDocument: (document: DocumentNode) => void;
  perform: (operation: Operation) => Promise<ExecutionResult>;
  subscribe: (operation: Operation) => Promise<ExecutionResult | SubscriptionStream>;
}

/** `rejection`: the result of an operation that was rejected before it ran, and need only be sent. */
export type YogaContext = GraphContext & { rejection?: ExecutionResult };

/**
 * GraphQL Yoga: reads the parameters of GET and POST, parses and validates the document, negotiates the media type, and gives
 * errors their status (GraphQL over HTTP).
 */
export const newYoga = (steps: YogaSteps, publishing: ErrorPublishing) =>
  createYoga<YogaContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    multipart: false,
    parserAndValidationCache: false,
    graphiql: false,
    extraParamNames: ['documentId'],
    plugins: [documentPlugin(steps, publishing), resultPlugin(steps, publishing)],
  });

/** Document: refuses one that is too large before it is parsed, and replaces the id of a stored one by its text. */
const documentPlugin = ({ textOf }: YogaSteps, { introspection }: ErrorPublishing): Plugin<YogaContext> => ({
  onParams({ params, setParams, context }) {
    try {
      requireBounded(params.variables);
      const { documentId: _, ...others } = params as typeof params & { documentId?: unknown };
      const text = textOf(params, context as unknown as GraphContext);
      setParams(text === undefined ? others : { ...others, query: text });
    } catch (error) {
      throw error instanceof DomainError ? toGraphQLError(error) : error;
    }
  },
  onParse({ params: { source } }) {
    requireReadable(typeof source === 'string' ? source : source.body);
  },
  onValidate({ addValidationRule, params: { documentAST }, setResult }) {
    const errors = unsupportedDirectives(documentAST);
    if (errors.length > 0) setResult(errors);
    if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
  },
});

/** By request, since Yoga wraps the iterable that `subscribe` returns. */
const streams = new WeakMap<Request, SubscriptionStream>();

/** Runs the operation by the endpoint's steps, and makes the body of the response. */
const resultPlugin = (
  { onDocument, perform, subscribe }: YogaSteps,
  publishing: ErrorPublishing,
): Plugin<YogaContext> => ({
  /** Documents that get here are valid. */
  onExecute({ args, setExecuteFn }) {
    onDocument(args.document as DocumentNode);
    setExecuteFn((operation) => operation.contextValue.rejection ?? perform(operation as Operation));
  },
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(async (operation) => {
      const result = await subscribe(operation as Operation);
      if (result instanceof SubscriptionStream) streams.set(operation.contextValue.request, result);
      return result;
    });
  },
  onResultProcess({ request, result, setResult, resultProcessor, setResultProcessor, serverContext }) {
    const context = serverContext as unknown as GraphContext;
    const { disconnect, delivery } = context;
    const publicly = (each: ExecutionResult) => published(each, context, publishing);
    const stream = streams.get(request);
    if (stream) {
      const connection = { disconnect, hold: delivery?.holdPart };
      if (resultProcessor)
        setResultProcessor(() => stream.stream(publicly, connection) as never, 'text/event-stream');
      else stream.end();
    } else if (!Array.isArray(result) && !(Symbol.asyncIterator in result)) {
      const published = publicly(result);
      setResult(published);
      const response = largeResponse(published, request.headers.get('accept') ?? '*/*');
      if (response) setResultProcessor(() => response as never, '*/*');
    }
  },
});
