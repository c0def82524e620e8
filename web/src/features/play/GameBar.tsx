import { useLingui } from '@lingui/react/macro';

import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Balance, Strip, type ReadPlay } from './SessionStats.tsx';

import styles from './GameBar.module.css';

export type GameBarProps = {
  title: string;
  play: ReadPlay | undefined;
  balance: string | undefined;
  rtp: string | null;
  provable: boolean;
  onBack: () => void;
  onProof: () => void;
  onMenu: () => void;
};

/** From so many characters on a title takes two lines: what comes last often tells one game from another. */
const longTitle = 16;

/** Above every game: the way back, what is played, the proof, the menu, and what the sitting has come to. */
export function GameBar(props: GameBarProps) {
  const { title, play, balance, rtp, provable, onBack, onProof, onMenu } = props;
  const { t } = useLingui();
  return (
    // It lies over the whole app: nothing else stands in its bar.
    <header className={styles.head} data-over>
      <div className={styles.bar}>
        <IconButton icon="caret-left" label={t`Leave the game`} onPress={onBack} />
        <div className={styles.words}>
          <h1 className={styles.title} data-long={title.length > longTitle}>
            <bdi>{title}</bdi>
          </h1>
          <Balance held={balance} />
        </div>
        {provable && (
          <button type="button" className={styles.shield} onClick={onProof}>
            <span className={styles.pill}>
              <Icon name="shield-check-fill" size={16} />
              {t`Fair play`}
            </span>
          </button>
        )}
        <IconButton icon="list" label={t`Game menu`} onPress={onMenu} className={styles.menu} />
      </div>
      <Strip play={play} rtp={rtp} />
    </header>
  );
}
