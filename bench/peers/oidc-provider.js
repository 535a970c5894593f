// node-oidc-provider over PostgreSQL: its adapter interface on one table, as its documentation shows it for other stores.
// Prints the refresh tokens it begins with, one for each chain, and an access token.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
});

await pool.query(`CREATE TABLE IF NOT EXISTS oidc (model text, id text, payload jsonb NOT NULL, grant_id text,
  expires_at timestamptz, consumed_at timestamptz, PRIMARY KEY (model, id))`);
await pool.query(`CREATE INDEX IF NOT EXISTS oidc_grant ON oidc (grant_id)`);

class Adapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload, expiresIn) {
    await pool.query({
      name: 'upsert',
      text: `INSERT INTO oidc (model, id, payload, grant_id, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
        ON CONFLICT (model, id) DO UPDATE SET payload = $3, grant_id = $4, expires_at = now() + make_interval(secs => $5)`,
      values: [this.model, id, payload, payload.grantId ?? null, expiresIn ?? null],
    });
  }

  async find(id) {
    const { rows } = await pool.query({
      name: 'find',
      text: `SELECT payload, consumed_at FROM oidc WHERE model = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > now())`,
      values: [this.model, id],
    });
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed_at && { consumed: true }) };
  }

  async consume(id) {
    await pool.query({
      name: 'consume',
      text: 'UPDATE oidc SET consumed_at = now() WHERE model = $1 AND id = $2',
      values: [this.model, id],
    });
  }

  async destroy(id) {
    await pool.query({
      name: 'destroy',
      text: 'DELETE FROM oidc WHERE model = $1 AND id = $2',
      values: [this.model, id],
    });
  }

  async revokeByGrantId(grantId) {
    await pool.query({ name: 'revoke', text: 'DELETE FROM oidc WHERE grant_id = $1', values: [grantId] });
  }
}

const url = `http://127.0.0.1:${process.env.PORT}`;
const provider = new Provider(url, {
  adapter: Adapter,
  clients: [
    {
      client_id: 'planner',
      client_secret: process.env.CLIENT_SECRET,
      redirect_uris: ['https://app.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'read write',
    },
  ],
  scopes: ['read', 'write'],
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
});

const client = await provider.Client.find('planner');

async function tokens() {
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'planner' });
  grant.addOIDCScope('read write');
  const about = {
    client,
    accountId: 'ada',
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: 'read write',
    claims: {},
    authTime: Math.floor(Date.now() / 1000),
  };
  const refreshToken = await new provider.RefreshToken({ ...about, rotations: 0 }).save();
  return { refreshToken, accessToken: await new provider.AccessToken(about).save() };
}

const made = [];
for (let chain = 0; chain < Number(process.env.CHAINS); chain++) made.push(await tokens());
createServer(provider.callback()).listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(JSON.stringify(made)),
);
