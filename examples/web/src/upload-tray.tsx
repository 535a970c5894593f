import { FileButton } from './file-button.tsx';
import { fileSize } from './format.ts';
import { forget, resumeUpload, type Upload, uploads } from './uploads.ts';

const STATES = {
  running: '',
  waiting: 'Waiting for the network · ',
  interrupted: 'Interrupted · ',
  done: '',
};

/** The uploads of this tab, with their progress. */
export function UploadTray() {
  const list = uploads.use();
  if (list.length === 0) return null;
  return (
    <section className="tray" aria-label="Uploads">
      {list.map((upload) => (
        <Row key={upload.id} upload={upload} />
      ))}
    </section>
  );
}

function Row({ upload }: { upload: Upload }) {
  const { id, name, sent, size, state, cancel = () => forget(id) } = upload;
  return (
    <div className={`upload ${state}`}>
      <span className="name">{name}</span>
      <progress value={size ? sent / size : 1} aria-label={`Progress of ${name}`} />
      <span className="muted small" role="status">
        {state === 'done' ? 'Done' : `${STATES[state]}${fileSize(sent)} of ${fileSize(size)}`}
      </span>
      {state === 'interrupted' && (
        <FileButton onChoose={([file]) => file && resumeUpload(upload, file)}>
          Choose the file again
        </FileButton>
      )}
      {state !== 'done' && (
        <button type="button" className="quiet close" onClick={cancel} aria-label={`Cancel ${name}`}>
          ✕
        </button>
      )}
    </div>
  );
}
