/** Confirms files in batches of 100, on one connection. Docgraph has reserved and received the files of all contenders before. */
import { randomBytes } from 'node:crypto';
import { ask, LIMIT, type Running } from '../contenders.ts';
import type { Data } from '../data.ts';
import { type Race, type Sample, type Settings, sampleOf, summary, takeTurns } from '../rounds.ts';
import { graphCall, type Work } from '../work.ts';

const FILES = 100;
const BATCHES = 5;
/** In bytes. */
const SIZE = 1024;

const RESERVE =
  'mutation ($input: ReserveUploadsInput!) { reserveUploads(input: $input) { uploads { id url } } }';
const CONFIRM =
  'mutation ($input: ConfirmUploadsInput!) { confirmUploads(input: $input) { documents { id name } } }';

interface File {
  uploadId: string;
  name: string;
}

interface Reserved {
  data: { reserveUploads: { uploads: { id: string; url: string }[] } };
}

/** Files that wait for their confirmation. No text: reading that comes later, and is another piece of work. */
async function receivedFiles(server: Running, { key, writing: { projectId } }: Data): Promise<File[]> {
  const reserved = await ask(server.url, graphCall(RESERVE, { input: { projectId, count: FILES } }), key);
  const { uploads } = (reserved as Reserved).data.reserveUploads;
  for (const { url } of uploads) {
    const { pathname } = new URL(url);
    const { status } = await fetch(server.url + pathname, { method: 'PUT', body: randomBytes(SIZE) });
    if (status !== 200) throw new Error(`An upload was answered ${status}.`);
  }
  return uploads.map(({ id }, index) => ({ uploadId: id, name: `Scan ${index}.bin` }));
}

const confirmation = (files: readonly File[]): Work => ({
  id: 'confirm-100-files',
  title: 'Confirm 100 files of 1 KiB in one call',
  calls: ({ writing: { projectId } }) => ({
    limit: { method: 'POST', path: '/confirm', body: { project: projectId, files } },
    graph: graphCall(CONFIRM, { input: { projectId, files } }),
  }),
  same: (answer) =>
    (answer as { data: { confirmUploads: { documents: File[] } } }).data.confirmUploads.documents.map(
      ({ name }) => name,
    ),
});

/** Files a second, and processor time for a file. */
async function confirmBatches(running: Running, server: Running, data: Data): Promise<Sample> {
  const batches: File[][] = [];
  while (batches.length < BATCHES) batches.push(await receivedFiles(server, data));
  const api = running === server ? 'graph' : 'limit';
  const [from, before] = [performance.now(), running.cpu()];
  for (const files of batches) {
    const call = confirmation(files).calls(data)[api];
    if (call) await ask(running.url, call, data.key);
  }
  const count = FILES * BATCHES;
  return sampleOf((count * 1000) / (performance.now() - from), (running.cpu() - before) / count);
}

export async function raceBatches(
  all: readonly Running[],
  data: Data,
  { rounds }: Settings,
): Promise<Race[]> {
  const limit = all.find(({ contender }) => contender.name === LIMIT);
  const server = all.find(({ contender }) => contender.name === 'Docgraph');
  if (!limit || !server) throw new Error('The limit and Docgraph take part.');
  const contenders = [limit, server];
  for (const each of contenders) await confirmBatches(each, server, data);
  const samples = await takeTurns(contenders, rounds, (each) => confirmBatches(each, server, data));
  const results = contenders.map(({ contender }, index) =>
    summary(contender.name, samples[index] ?? [], samples[0] ?? []),
  );
  const { id, title } = confirmation([]);
  return [{ id, title, results }];
}
