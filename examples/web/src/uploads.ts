import { docgraph } from './docgraph.ts';
import { showMessage } from './messages.ts';
import { createStore } from './store.ts';

export interface RunningUpload {
  id: number;
  name: string;
  sent: number;
  total: number;
  state: 'running' | 'waiting' | 'done';
  cancel(): void;
}

export const uploads = createStore<RunningUpload[]>([]);
let last = 0;

const update = (id: number, parts: Partial<RunningUpload>) =>
  uploads.set(uploads.get().map((each) => (each.id === id ? { ...each, ...parts } : each)));

const remove = (id: number) => uploads.set(uploads.get().filter((each) => each.id !== id));

/** Uploads files to a folder. They appear in the lists by themselves, with the event of each. */
export function uploadFiles(files: Iterable<File>, projectId: string, folderId?: string): void {
  for (const file of files) void uploadFile(file, projectId, folderId);
}

async function uploadFile(file: File, projectId: string, folderId?: string): Promise<void> {
  const id = ++last;
  const ending = new AbortController();
  const cancel = () => ending.abort();
  uploads.set([
    ...uploads.get(),
    { id, name: file.name, sent: 0, total: file.size, state: 'running', cancel },
  ]);
  try {
    await docgraph.upload(file, {
      projectId,
      folderId,
      signal: ending.signal,
      onProgress: ({ sent, waiting }) => update(id, { sent, state: waiting ? 'waiting' : 'running' }),
    });
    update(id, { sent: file.size, state: 'done' });
    setTimeout(() => remove(id), 4_000);
  } catch (error) {
    remove(id);
    if (!ending.signal.aborted) showMessage(`${file.name}: ${(error as Error).message}`);
  }
}

// A page that is left ends its uploads: ask first.
addEventListener('beforeunload', (event) => {
  if (uploads.get().some(({ state }) => state !== 'done')) event.preventDefault();
});
