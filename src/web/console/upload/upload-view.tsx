import { scriptFile } from '../../ui/script-file.ts';

/** Made by `npm run generate` from the folder `browser` and the client package. */
export const UPLOAD_SCRIPT = scriptFile(
  new URL('../../../generated/assets/console/upload.js', import.meta.url),
  '/console/upload',
);

/** CSP of a page with `UploadView`: uploads go to this server, whatever stores the files. */
export const UPLOAD_POLICY = { 'connect-src': "'self'" };

interface UploadProps {
  projectId: string;
  folderId?: string;
  /** The file becomes the next revision of this document. */
  documentId?: string;
  /** The page that is shown after the upload. */
  target: string;
}

/** Where one drops or chooses files. The script sends them, which no form can do for files of any size. */
export const UploadView = ({ projectId, folderId, documentId, target }: UploadProps) => (
  <section
    class="card upload"
    aria-label={documentId ? 'Upload a new revision' : 'Upload files'}
    data-upload
    data-project={projectId}
    data-folder={folderId}
    data-document={documentId}
    data-target={target}
  >
    <p class="late">Uploading needs JavaScript.</p>
    <div class="drop" hidden>
      <label for="files">
        {documentId
          ? 'New revision: drop a file on the page, or choose one'
          : 'Upload: drop files on the page, or choose them'}
      </label>
      <input id="files" type="file" multiple={!documentId} />
    </div>
    <p role="status" />
    <ul class="rows" />
    <script type="module" src={UPLOAD_SCRIPT.path} />
  </section>
);
