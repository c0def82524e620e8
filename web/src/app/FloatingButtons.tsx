import { DownloadBar } from './DownloadBar.tsx';
import { markWhileScrolling } from './scrolling.ts';
import { ServiceButton } from './ServiceButton.tsx';

import styles from './FloatingButtons.module.css';

/** The floating buttons of home, hidden while the page scrolls. */
export function FloatingButtons() {
  return (
    <section ref={markWhileScrolling} className={styles.floats}>
      <ServiceButton />
      <DownloadBar />
    </section>
  );
}
