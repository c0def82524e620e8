import { solveWork, type Work } from './proof-of-work.ts';

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  void solveWork(data)
    .catch(() => undefined)
    .then((proof) => postMessage(proof));
});
