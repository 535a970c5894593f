// Reserve, upload and confirm with node:http, node:fs and pg, and no more than that: one statement to reserve, a synced
// file, one statement to confirm. No credential, no checks, no hash, no event.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';

const { DATABASE_URL, DATABASE_POOL, DATA_DIR, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL) });
await pool.query(
  'CREATE TABLE plain_uploads (id text PRIMARY KEY, confirmed boolean NOT NULL DEFAULT false)',
);

async function reserve() {
  const id = randomUUID();
  await pool.query({ name: 'reserve', text: 'INSERT INTO plain_uploads (id) VALUES ($1)', values: [id] });
  return id;
}

async function receive(id, incoming) {
  const path = join(DATA_DIR, id);
  await pipeline(incoming, createWriteStream(path));
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

const confirm = (id) =>
  pool.query({
    name: 'confirm',
    text: 'UPDATE plain_uploads SET confirmed = true WHERE id = $1',
    values: [id],
  });

const server = createServer(async (incoming, outgoing) => {
  const id = incoming.url?.slice(1) ?? '';
  if (incoming.method === 'GET') return outgoing.end(await reserve());
  await (incoming.method === 'PUT' ? receive(id, incoming) : confirm(id));
  outgoing.end();
});
server.listen(Number(PORT), () => console.log('ready'));
