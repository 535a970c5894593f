import { createServer } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { createYoga } from 'graphql-yoga';
import { contextOf, resolvers, typeDefs } from './graph.js';

const yoga = createYoga({
  schema: makeExecutableSchema({ typeDefs, resolvers }),
  context: ({ request }) => contextOf(request.headers.get('authorization') ?? undefined),
});
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
