/** Tags a test for `make soak`, unless it is chosen. `make test` runs only the chosen tests. */
export const inGate = (chosen: boolean) => ({ tag: chosen ? [] : ['@soak'] });
