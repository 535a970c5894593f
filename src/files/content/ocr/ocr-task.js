// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createOCREngine, supportsFastBuild } from 'tesseract-wasm';
import { answerTasks, requestBytes } from '../../child/child-task.js';
import { tidy } from '../../child/text-collect.js';

/** @typedef {import('./ocr.ts').OcrTask} Task */
/** @typedef {{ data: Uint8ClampedArray, width: number, height: number }} Picture four bytes a pixel, the fourth unused */
/** @typedef {import('tesseract-wasm').OCREngine} OCREngine */

/** Memory limit of one language: pictures of noise take some 150 MiB. */
const MEMORY_LIMIT = 384 * 2 ** 20;

/** From 0 to 1. Below this, it is more often a stain or a part of a drawing than a word. */
const MIN_CONFIDENCE = 0.6;

const END_OF_LINE = 2;

/** A process for each picture, so that none can affect the WebAssembly memory of another. */
const WORN_OVER = 0;

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > MEMORY_LIMIT) throw new RangeError('out of memory');
  return grow.call(this, pages);
};

/** Loads the trained data of a language from this file; nothing is ever downloaded. */
async function load(/** @type {string} */ file) {
  const build = supportsFastBuild() ? 'tesseract-core.wasm' : 'tesseract-core-fallback.wasm';
  const wasmBinary = readFileSync(new URL(build, import.meta.resolve('tesseract-wasm')));
  const engine = await createOCREngine({ wasmBinary });
  engine.loadModel(gunzipSync(readFileSync(file)));
  return engine;
}

answerTasks(async (/** @type {Task} */ { files, width, height }) => {
  const data = inFourBytes(await requestBytes(width * height));
  const engines = await Promise.all(files.map(load));
  const readings = engines.map((engine) => recognize(engine, { data, width, height }));
  return readings.reduce((a, b) => (b.certainty > a.certainty ? b : a)).text;
}, WORN_OVER);

/** The pixels as the library takes them. */
function inFourBytes(/** @type {Uint8Array} */ grays) {
  const colours = new Uint32Array(grays.length);
  for (let at = 0; at < grays.length; at++) colours[at] = (grays[at] ?? 0) * 0x01_01_01;
  return new Uint8ClampedArray(colours.buffer);
}

/** The words of a picture in one language, and how much of it is certain: the language that fits has the most. */
function recognize(/** @type {OCREngine} */ engine, /** @type {Picture} */ picture) {
  engine.loadImage(picture);
  let text = '';
  let certainty = 0;
  for (const word of engine.getTextBoxes('word')) {
    if (word.confidence >= MIN_CONFIDENCE) {
      text += word.text;
      certainty += word.text.trim().length * word.confidence;
    }
    text += word.flags & END_OF_LINE ? '\n' : ' ';
  }
  engine.clearImage();
  return { text: tidy(joinDividedWords(text)), certainty };
}

/** Words that are divided at the end of a line become one. */
const joinDividedWords = (/** @type {string} */ text) => text.replace(/(?<=\p{L})-\n(?=\p{Ll})/gu, '');
