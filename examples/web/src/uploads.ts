import { ConnectionError, DocgraphError, type UploadSession } from '@docgraph/client';
import { docgraph } from './docgraph.ts';
import { showMessage } from './messages.ts';
import { createStore } from './store.ts';

interface Target {
  projectId: string;
  folderId?: string;
}

/** An upload of this tab. It is stored, so that it continues after a reload as soon as the file is chosen again. */
export interface Upload extends Target {
  /** The same for the same file and folder. */
  id: string;
  name: string;
  size: number;
  sent: number;
  state: 'running' | 'waiting' | 'interrupted' | 'done';
  session?: UploadSession;
  cancel?(): void;
}

const KEY = 'uploads';
const stored: Upload[] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
export const uploads = createStore<Upload[]>(stored.map((each) => ({ ...each, state: 'interrupted' })));

function change(next: (list: Upload[]) => Upload[]): void {
  uploads.set(next(uploads.get()));
  const unfinished = uploads.get().filter(({ session, state }) => session && state !== 'done');
  sessionStorage.setItem(KEY, JSON.stringify(unfinished));
}

const update = (id: string, parts: Partial<Upload>) =>
  change((list) => list.map((each) => (each.id === id ? { ...each, ...parts } : each)));

export const forget = (id: string) => change((list) => list.filter((each) => each.id !== id));

const idOf = ({ name, size, lastModified }: File, { projectId, folderId }: Target) =>
  [projectId, folderId, size, lastModified, name].join('/');

/** Uploads files to a folder. They appear in the lists by themselves, with the event of each. */
export function uploadFiles(files: Iterable<File>, target: Target): void {
  for (const file of files) {
    const begun = uploads.get().find(({ id }) => id === idOf(file, target));
    if (!begun?.cancel) void send(file, target, begun);
  }
}

/** Continues with the file of an interrupted upload, which a page cannot keep. */
export function resumeUpload(begun: Upload, file: File): void {
  if (begun.id === idOf(file, begun)) void send(file, begun, begun);
  else showMessage(`That is not the file “${begun.name}” as it was when its upload began.`);
}

async function send(file: File, { projectId, folderId }: Target, begun?: Upload): Promise<void> {
  const id = idOf(file, { projectId, folderId });
  const { name, size } = file;
  const { session, sent = 0 } = begun ?? {};
  const ending = new AbortController();
  const cancel = () => ending.abort();
  const upload: Upload = { id, projectId, folderId, name, size, sent, session, state: 'running', cancel };
  change((list) => [...list.filter((each) => each.id !== id), upload]);
  try {
    await docgraph.upload(file, {
      ...{ projectId, folderId, session, signal: ending.signal },
      onSession: (session) => update(id, { session }),
      onProgress: ({ sent, waiting }) => update(id, { sent, state: waiting ? 'waiting' : 'running' }),
    });
    update(id, { sent: size, state: 'done', cancel: undefined });
    setTimeout(() => uploads.get().find((each) => each.id === id)?.state === 'done' && forget(id), 4_000);
  } catch (error) {
    if (error instanceof ConnectionError) return update(id, { state: 'interrupted', cancel: undefined });
    forget(id);
    if (ending.signal.aborted) return;
    // The session has ended, after a day: from the beginning.
    if (session && error instanceof DocgraphError) return send(file, { projectId, folderId });
    showMessage(`${name}: ${(error as Error).message}`);
  }
}

// A page that is left interrupts its uploads: ask first.
addEventListener('beforeunload', (event) => {
  if (uploads.get().some(({ cancel }) => cancel)) event.preventDefault();
});
