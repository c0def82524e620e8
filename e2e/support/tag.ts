/** Tags all but the chosen variants for `make soak`; `make test` runs the chosen ones. */
export const inGate = (chosen: boolean) => ({ tag: chosen ? [] : ['@soak'] });
