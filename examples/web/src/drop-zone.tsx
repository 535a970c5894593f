import { type DragEvent, type ReactNode, useState } from 'react';
import { FileButton } from './file-button.tsx';
import { uploadFiles } from './uploads.ts';

interface Props {
  project: string;
  folder?: string;
  disabled: boolean;
  children: ReactNode;
}

/** Takes files that are dropped on its content, or chosen with the button. */
export function DropZone({ project: projectId, folder: folderId, disabled, children }: Props) {
  const [over, setOver] = useState(false);
  if (disabled) return children;
  const take = (files: Iterable<File>) => uploadFiles(files, { projectId, folderId });
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  const drop = (event: DragEvent) => {
    drag(false)(event);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <FileButton multiple className="primary upload-button" onChoose={take}>
        Upload
      </FileButton>
      {children}
    </div>
  );
}
