import { graphiqlFolder } from '../../graphiql/assets.ts';
import { scriptFile } from '../../ui/script-file.ts';

export const EDITOR_SCRIPT = scriptFile(new URL('editor.js', import.meta.url), '/console/script');

/** A button that puts GraphiQL's editor in place of a text field. It appears with the script. */
export const EditorButton = ({ field }: { field: string }) => (
  <div class="editor-button">
    <button type="button" class="small plain" data-editor-of={field} data-files={graphiqlFolder()} hidden>
      Edit with completion
    </button>
    <span role="status" />
    <script type="module" src={EDITOR_SCRIPT.path} />
  </div>
);
