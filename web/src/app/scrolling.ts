/** Further from the top than this is scrolled: phones bounce. */
const top = 4;
/** A page that has stood still for this long is at rest. */
const rest = 180;

const followers = new Set<(position: number) => void>();
/** Where the page was when it last moved. To ask the page itself, between two frames, would lay it out. */
let last = 0;

addEventListener('scroll', tell, { passive: true });

function tell(): void {
  last = window.scrollY;
  for (const follow of followers) follow(last);
}

/** Tells where the page is whenever it scrolls. One listener serves all: a frame has few milliseconds. */
export function followScrolling(follow: (position: number) => void): () => void {
  followers.add(follow);
  return () => void followers.delete(follow);
}

/** Marks an element for the styles while the page is away from its top. Nothing is rendered for it. */
export function markScrolled(element: HTMLElement): () => void {
  const look = (position: number) => {
    const scrolled = position > top;
    if (scrolled !== 'scrolled' in element.dataset) element.toggleAttribute('data-scrolled');
  };
  look(last);
  return followScrolling(look);
}

/** Marks an element while the page moves under the finger, until it has stood still for a moment. */
export function markMoving(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let moved = 0;
  const settle = () => {
    const still = performance.now() - moved;
    timer = still < rest ? setTimeout(settle, rest - still) : undefined;
    if (!timer) element.removeAttribute('data-moving');
  };
  const stop = followScrolling((position) => {
    // Changes of the page's length near its ends also count as scrolling.
    if (position <= top) return;
    moved = performance.now();
    if (timer) return;
    element.setAttribute('data-moving', '');
    timer = setTimeout(settle, rest);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
