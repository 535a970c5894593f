import { fileSize } from './format.ts';
import { uploads } from './uploads.ts';

const STATES = { running: '', waiting: 'Waiting for the network', done: 'Done' };

/** The running uploads, with their progress. */
export function UploadTray() {
  const running = uploads.use();
  if (running.length === 0) return null;
  return (
    <section className="tray" aria-label="Uploads">
      {running.map(({ id, name, sent, total, state, cancel }) => (
        <div key={id} className={`upload ${state}`}>
          <span className="name">{name}</span>
          <progress value={total ? sent / total : 1} aria-label={`Progress of ${name}`} />
          <span className="muted small" role="status">
            {STATES[state] || `${fileSize(sent)} of ${fileSize(total)}`}
          </span>
          {state !== 'done' && (
            <button
              type="button"
              className="quiet"
              onClick={cancel}
              aria-label={`Cancel the upload of ${name}`}
            >
              ✕
            </button>
          )}
        </div>
      ))}
    </section>
  );
}
