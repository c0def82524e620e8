import { useLayoutEffect } from 'react';

/** Scrolls to the top when a view appears that replaces another one of the same screen, such as one promotion after the list. */
export function useStartAtTop(): void {
  useLayoutEffect(() => {
    document.documentElement.scrollTop = 0;
  }, []);
}
