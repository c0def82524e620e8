/** Paints the pictures it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';

import sharp from 'sharp';

import { paint, type Picture } from './raster.ts';

// Each worker is one thread's worth of work; sharp would otherwise start a pool per worker.
sharp.concurrency(1);

const root = new URL(workerData as string);

parentPort?.on('message', (picture: Picture) => {
  paint(root, picture).then(
    () => parentPort?.postMessage({ file: picture.file }),
    (error: unknown) => parentPort?.postMessage({ file: picture.file, error: String(error) }),
  );
});
