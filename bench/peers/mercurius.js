import Fastify from 'fastify';
import mercurius from 'mercurius';
import { contextOf, resolvers, typeDefs } from './graph.js';

const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers,
  jit: 1,
  context: ({ headers }) => contextOf(headers.authorization),
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
