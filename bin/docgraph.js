#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { passSignals, ROOT, run, SERVER } from './launch.js';

const HELP = `Docgraph: document management as one graph.

  docgraph [serve]        Serves on port 4000, with its data in ./data and a demo workspace at the first start.
  docgraph tour [URL]     Calls every area once, on a running server with the demo workspace, and checks the answers.
  docgraph admin COMMAND  Creates accounts, keys and applications, verifies the audit trail … Without a command: a list.
  docgraph --version

Settings are environment variables: PORT, DATA_DIR, DATABASE_URL (PostgreSQL instead of ./data), PUBLIC_URL …; see docs/configuration.md.
`;

/** The arguments of node for each command. */
const PROGRAMS = /** @type {Record<string, string[]>} */ ({
  serve: SERVER,
  admin: [`${ROOT}dist/src/admin/main.js`],
  tour: [`${ROOT}dist/src/tour/main.js`],
});

/** @param {string[]} args */
async function main([command = 'serve', ...rest]) {
  if (command === '--help' || command === '-h' || command === 'help') return print(HELP.trimEnd());
  if (command === '--version' || command === '-v') return print(version());
  const program = Object.hasOwn(PROGRAMS, command) ? PROGRAMS[command] : undefined;
  if (!program) {
    console.error(`docgraph has no command ${command}.\n\n${HELP.trimEnd()}`);
    return 1;
  }
  if (rest.includes('--help') && command !== 'admin') return print(HELP.trimEnd());
  passSignals();
  return run([...program, ...rest]);
}

function print(/** @type {string} */ text) {
  console.log(text);
  return 0;
}

const version = () => JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version;

process.exitCode = await main(process.argv.slice(2));
