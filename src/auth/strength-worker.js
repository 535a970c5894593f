// The thread that estimates how easily a password is guessed. Plain JavaScript, so that Node loads it alike from the sources
// (vitest, tsx) and from dist. The lists of common passwords take 37 MB.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary, adjacencyGraphs as graphs } from '@zxcvbn-ts/language-common';

/**
 * `known`: words that whoever guesses the password tries first.
 * @typedef {{ password: string, known: string[] }} GuessTask
 */

const factory = new ZxcvbnFactory({ dictionary, graphs });
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

port.on('message', (/** @type {GuessTask} */ { password, known }) =>
  port.postMessage(factory.check(password, known).score),
);
