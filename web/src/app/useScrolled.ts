import { useEffect, useState } from 'react';

/** Whether the page has left its top. */
export function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > 4);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return scrolled;
}

const rest = 180;

/** Whether the page is moving under the finger, until it has stood still for a moment. */
export function useMoving(): boolean {
  const [moving, setMoving] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => setMoving(false);
    const move = () => {
      // Changes of the page's length near its ends also count as scrolling.
      setMoving(window.scrollY > 4);
      clearTimeout(timer);
      timer = setTimeout(stop, rest);
    };
    addEventListener('scroll', move, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', move);
    };
  }, []);
  return moving;
}
