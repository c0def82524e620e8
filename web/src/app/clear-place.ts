/** How far a button may rise from its place, which is to the same place of the tile above, and by which steps. */
const highest = 160;
const step = 8;
/** What a tile has at its top, its vendor's name and its star, is this high. */
const tileTop = 44;

/** Raises what floats over the page until no words and no button lie under it; where that is nowhere, it stays. */
export function moveOffWords(element: HTMLElement): void {
  element.style.translate = '';
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = (part: number) => [x + width * part, height * part] as const;
  const parts = [at(0.15), at(0.5), at(0.85)];
  for (let lift = 0; lift <= highest; lift += step) {
    const covers = parts.some(([left]) => parts.some(([, down]) => isTaken(left, y + down - lift)));
    if (covers) continue;
    if (lift > 0) element.style.translate = `0 -${lift}px`;
    return;
  }
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
