/** How far a button may rise from its place, which is to the same place of the tile above, and by which steps. */
const highest = 160;
const step = 4;
/** What a tile has at its top, its vendor's name and its star, is this high. */
const tileTop = 42;

/** Points of a round button, in parts of its width and height. */
const points = [
  [0.5, 0.5],
  [0.5, 0],
  [0, 0.5],
  [1, 0.5],
  [0.5, 1],
  [0.15, 0.15],
  [0.85, 0.15],
  [0.15, 0.85],
  [0.85, 0.85],
] as const;

/** Raises what floats over the page to where no words and no button lie under it or, where that is nowhere, the fewest. */
export function moveOffWords(element: HTMLElement): void {
  const { x, y, width, height } = element.getBoundingClientRect();
  // Where it has been raised to is where it is found: to put it back and ask again would not wait for transitions.
  const place = y + Number(element.dataset['lift'] ?? 0);
  let [best, fewest] = [0, Infinity];
  for (let lift = 0; lift <= highest && fewest > 0; lift += step) {
    const covered = points.filter(([across, down]) =>
      isTaken(x + width * across, place + height * down - lift),
    ).length;
    if (covered < fewest) [best, fewest] = [lift, covered];
  }
  element.dataset['lift'] = String(best);
  element.style.translate = `0 ${-best}px`;
}

/** Whether words of the screen, a button, or the top of a tile lie at a point. */
function isTaken(x: number, y: number): boolean {
  return document.elementsFromPoint(x, y).some((element) => {
    if (!element.closest('main')) return false;
    if (element.matches('article')) return y - element.getBoundingClientRect().y < tileTop;
    return element.matches('button') || hasWords(element);
  });
}

const hasWords = (element: Element) =>
  [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
  );
