/** What ocr-task.js uses of the package, whose own types are not among its `exports`. */
declare module 'tesseract-wasm' {
  export interface Word {
    text: string;
    /** From 0 to 1. */
    confidence: number;
    flags: number;
  }

  export interface OCREngine {
    loadModel(data: Uint8Array): void;
    /** Four bytes a pixel; all of the buffer is taken. */
    loadImage(image: { data: Uint8ClampedArray; width: number; height: number }): void;
    getTextBoxes(unit: 'word'): Word[];
    clearImage(): void;
  }

  /** Whether WebAssembly has vector instructions here. */
  export function supportsFastBuild(): boolean;
  export function createOCREngine(options: { wasmBinary: Uint8Array }): Promise<OCREngine>;
}
