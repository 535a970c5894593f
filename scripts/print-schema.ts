import { readFileSync, writeFileSync } from 'node:fs';
import { schema } from '../src/graph/schema/schema.ts';
import { schemaText } from '../src/graph/schema/schema-text.ts';

/** Prints the GraphQL schema to schema.graphql; with --check, fails when the committed file differs. */
const file = new URL('../schema.graphql', import.meta.url);
const text = `# Printed by npm run generate. Do not edit.\n\n${schemaText(schema)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('schema.graphql is not what the code makes: run npm run generate and commit it.');
  process.exit(1);
}
