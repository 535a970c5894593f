import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { contextOf, resolvers, typeDefs } from './graph.js';

await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), {
  listen: { port: Number(process.env.PORT), host: '127.0.0.1' },
  context: ({ req }) => contextOf(req.headers.authorization),
});
