const inputEvents = ['pointerdown', 'scroll', 'keydown'] as const;

let hadInput = false;
const waiting = new Set<() => void>();

function start(): void {
  hadInput = true;
  for (const event of inputEvents) removeEventListener(event, start);
  for (const act of waiting) act();
  waiting.clear();
}

for (const event of inputEvents) addEventListener(event, start, { passive: true });

/** Calls back at the page's first tap, scroll or key, or at once if there was one. Returns a function that cancels it. */
export function onFirstInput(act: () => void): () => void {
  if (hadInput) act();
  else waiting.add(act);
  return () => void waiting.delete(act);
}
