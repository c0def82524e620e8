// A few words to build the page with. Text is always set as text: nothing here reads markup.

type Part = Node | string | null | false | undefined;

type Props = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with attributes and children. `true` sets an attribute without a value, `false` leaves it out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  props: Props = {},
  ...parts: Part[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === false || value === undefined) continue;
    made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...parts.filter((part): part is Node | string => part != null && part !== false));
  return made;
}

const svgNames = 'http://www.w3.org/2000/svg';

export function svg(name: string, props: Props, ...parts: SVGElement[]): SVGElement {
  const made = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(props)) made.setAttribute(key, String(value));
  made.append(...parts);
  return made;
}

/** Icons as one path each, of the Phosphor set (256 wide). */
export function icon(path: string, size: number): SVGElement {
  return svg(
    'svg',
    {
      viewBox: '0 0 256 256',
      width: size,
      height: size,
      'aria-hidden': 'true',
      fill: 'currentColor',
    },
    svg('path', { d: path }),
  );
}

/** Changes a text only when it is another, so that nothing is read out twice. The piece of text that is there stays. */
export function setText(node: Element, text: string): void {
  if (node.textContent === text) return;
  const { firstChild } = node;
  if (firstChild instanceof Text && !firstChild.nextSibling && text !== '') firstChild.data = text;
  else node.textContent = text;
}

/** An amount, which keeps its order of characters in every language. */
export const bdi = (text: string, name?: string): HTMLElement =>
  el('bdi', { class: name === undefined ? 'amount' : `amount ${name}` }, text);

/** The same within a sentence that is one text. */
export const held = (text: string): string => `\u2066${text}\u2069`;
