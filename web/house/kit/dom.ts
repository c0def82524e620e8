// Helpers that build DOM nodes. Text is never parsed as markup.

type Child = Node | string | null | false | undefined;

type Props = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element. `true` sets an attribute without a value; `false` and `undefined` omit it. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === false || value === undefined) continue;
    node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(
    ...children.filter((child): child is Node | string => child != null && child !== false),
  );
  return node;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function svg(name: string, props: Props, ...children: SVGElement[]): SVGElement {
  const node = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(props)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** Creates an icon from one path of the Phosphor set (256 units wide). */
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

/** Sets a text only when it changes, so that screen readers do not repeat it. */
export function setText(node: Element, text: string): void {
  if (node.textContent === text) return;
  const { firstChild } = node;
  if (firstChild instanceof Text && !firstChild.nextSibling && text !== '') firstChild.data = text;
  else node.textContent = text;
}

/** Creates an amount, isolated from the direction of the text around it. */
export const bdi = (text: string, name?: string): HTMLElement =>
  el('bdi', { class: name === undefined ? 'amount' : `amount ${name}` }, text);

/** Isolates left-to-right text, such as an amount, inside a translated sentence. */
export const isolateLtr = (text: string): string => `\u2066${text}\u2069`;
