import { useLayoutEffect, useRef, type CSSProperties, type ReactNode } from 'react';

import styles from './Layer.module.css';

export type LayerProps = {
  children: ReactNode;
  /** The game's background colour. */
  backdrop?: string | null | undefined;
};

/** Covers the screen. The bars and menus below it become inert and invisible (GL-09). */
export function Layer({ children, backdrop }: LayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const main = layer.current?.closest('main');
    const others =
      main?.parentElement?.querySelectorAll<HTMLElement>(':scope > :is(header, nav, a)') ?? [];
    for (const element of others) {
      element.toggleAttribute('inert', true);
      element.style.setProperty('visibility', 'hidden');
    }
    document.documentElement.style.setProperty('overflow', 'hidden');
    return () => {
      for (const element of others) {
        element.toggleAttribute('inert', false);
        element.style.removeProperty('visibility');
      }
      document.documentElement.style.removeProperty('overflow');
    };
  }, []);
  const style: CSSProperties = backdrop ? { '--backdrop': backdrop } : {};
  return (
    <div ref={layer} className={styles.layer} data-theme="dark" style={style}>
      {children}
    </div>
  );
}
