import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { linkOf, serviceLinksQuery } from '../api/service.ts';
import { customerService } from '../api/system.ts';
import { Icon } from '../ui/Icon.tsx';
import { WayOut } from '../ui/WayOut.tsx';
import { moveOffWords } from './clear-place.ts';
import { followScrolling, rest } from './scrolling.ts';

import styles from './ServiceButton.module.css';

/** The customer service, floating over home; only where it can be reached. */
export function ServiceButton() {
  const { t, i18n } = useLingui();
  const { data: links } = useQuery(serviceLinksQuery);
  const href = linkOf(links, customerService);
  if (!href) return null;
  return (
    // In another language other words stand elsewhere.
    <aside
      key={i18n.locale}
      ref={keepOffWords}
      aria-label={t`Customer service`}
      className={styles.place}
    >
      <WayOut to={href} className={styles.button} aria-label={t`Customer service`}>
        <Icon name="headset-fill" size={24} />
      </WayOut>
    </aside>
  );
}

/** Whenever the page has come to rest, wherever it was taken to, the button stands where it covers no name. */
function keepOffWords(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(moveOffWords, rest, element);
  };
  const stop = followScrolling(settle);
  addEventListener('resize', settle);
  moveOffWords(element);
  return () => {
    clearTimeout(timer);
    stop();
    removeEventListener('resize', settle);
  };
}
