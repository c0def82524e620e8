/** Of many alike `make test` walks those that differ in what only a browser shows; `make soak` walks them all. */
export const inGate = (chosen: boolean) => ({ tag: chosen ? [] : ['@soak'] });
