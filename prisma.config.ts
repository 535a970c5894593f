import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// These commands ask for the schema engine's file without ever running it. Naming any file spares its download, so that
// generating works without a network; the commands that do run it (prisma migrate deploy) still fetch the real one.
if (['generate', 'validate', 'format'].includes(process.argv[2] ?? ''))
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(import.meta.url);

const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url && { datasource: { url } }),
});
