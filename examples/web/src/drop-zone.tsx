import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { uploadFiles } from './uploads.ts';

interface Props {
  project: string;
  folder?: string;
  disabled: boolean;
  children: ReactNode;
}

/** Takes files that are dropped on its content, or chosen with the button. */
export function DropZone({ project, folder, disabled, children }: Props) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  if (disabled) return children;
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  const drop = (event: DragEvent) => {
    drag(false)(event);
    uploadFiles(event.dataTransfer.files, project, folder);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          uploadFiles(event.target.files ?? [], project, folder);
          event.target.value = '';
        }}
      />
      <button type="button" className="primary upload-button" onClick={() => input.current?.click()}>
        Upload
      </button>
      {children}
    </div>
  );
}
