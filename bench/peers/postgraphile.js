import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
});

/** Each request reads the key and the memberships anew; row level security goes by them. */
async function viewerOf(authorization = '') {
  const { rows } = await pool.query({
    name: 'viewer',
    text: `SELECT u.id, (SELECT jsonb_agg(jsonb_build_object('organization_id', m.organization_id, 'role', m.role))
        FROM memberships m WHERE m.user_id = u.id)::text AS memberships
      FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.secret_hash = $1 AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.disabled_at IS NULL`,
    values: [createHash('sha256').update(authorization.slice('Bearer '.length)).digest()],
  });
  if (!rows[0]) throw new Error('No live credential.');
  return {
    role: 'docgraph_bench_viewer',
    'viewer.id': rows[0].id,
    'viewer.memberships': rows[0].memberships,
  };
}

/** Names of scopes have a colon, which names in GraphQL may not have. */
const scopeNames = {
  name: 'ScopeNames',
  version: '1.0.0',
  inflection: {
    replace: {
      enumValue: (previous, _options, value, codec) => previous(value, codec).replaceAll(':', '_'),
    },
  },
};

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [scopeNames],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', graphiql: false },
  grafast: {
    explain: false,
    context: async ({ node }) => ({ pgSettings: await viewerOf(node?.req.headers.authorization) }),
  },
});
const server = createServer();
const serv = pgl.createServ(grafserv);
await serv.addTo(server);
await serv.ready();
server.listen(Number(process.env.PORT), '127.0.0.1');
