import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OAUTH, PAGES, SUBSCRIBE } from './applications.ts';
import { EVENTS, KEYS, SEALED, SEARCH, SIGNATURES } from './evidence.ts';
import { type Demo, type Step, Tour, TourError } from './tour.ts';
import { PDF, UPLOAD } from './upload.ts';
import { APPROVALS, FIELDS, FORMS, GRAPH, TASKS } from './work.ts';

const STEPS: readonly Step[] = [
  ...[GRAPH, UPLOAD, PDF, TASKS, APPROVALS, FIELDS, FORMS],
  ...[SIGNATURES, SEALED, SEARCH, EVENTS, KEYS, SUBSCRIBE, OAUTH, PAGES],
];

const print = (line: string): void => console.log(line);

/** The credentials that the first start of an embedded database wrote. */
async function readDemo(): Promise<Demo> {
  const file = join(resolve(process.env.DATA_DIR || './data'), 'demo.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TourError(`There is no ${file}. Start the server first, here or with the same DATA_DIR.`);
  });
  const [url] = process.argv.slice(2);
  const demo: Demo = JSON.parse(text);
  if (!url) return demo;
  const moved = (link: string) => new URL(new URL(link).pathname, url).href;
  return { ...demo, url, signingUrl: moved(demo.signingUrl), formUrl: moved(demo.formUrl) };
}

/** `docgraph tour [URL]`: every area once, against a server with the demo workspace. Exits with 1 at the first claim that fails. */
async function main(): Promise<void> {
  const tour = new Tour(await readDemo(), print);
  for (const [index, { title, run }] of STEPS.entries()) {
    print(`\n${index + 1}/${STEPS.length} ${title}`);
    await run(tour);
  }
  print('\nThe tour is complete: everything holds.');
}

main().catch((error) => {
  console.error(error instanceof TourError ? `✗ ${error.message}` : error);
  process.exit(1);
});
