import { type ReactNode, useRef } from 'react';

interface Props {
  className?: string;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
  children: ReactNode;
}

/** A button that lets one choose files. */
export function FileButton({ className, multiple, onChoose, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        hidden
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {children}
      </button>
    </>
  );
}
