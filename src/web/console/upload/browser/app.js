// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// Uploads the files that one drops on the page or chooses, each with its progress.
import { filesOfDrop } from './dropped-files.js';
import { UploadQueue } from './upload-queue.js';

const section = document.querySelector('[data-upload]');
const zone = section.querySelector('.drop');
const input = zone.querySelector('input');
const queue = new UploadQueue(section);

section.querySelector('.late').hidden = true;
zone.hidden = false;
input.addEventListener('change', () => {
  queue.add([...input.files]);
  input.value = '';
});

/** Whether something is dragged that has files. */
const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files') ?? false;

// Files that miss the frame would replace the page: the whole page takes them.
addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
  section.classList.add('over');
});
for (const end of ['dragleave', 'drop'])
  addEventListener(end, (event) => {
    if (end === 'drop' || event.relatedTarget === null) section.classList.remove('over');
  });
addEventListener('drop', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  const { files, folders } = filesOfDrop(event.dataTransfer);
  queue.add(files);
  queue.refuse(folders);
});
addEventListener('beforeunload', (event) => {
  if (queue.isBusy) event.preventDefault();
});
