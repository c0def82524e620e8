import { useLingui } from '@lingui/react/macro';

import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Balance, SessionStrip, type PlaySnapshot } from './SessionStats.tsx';

import styles from './GameBar.module.css';

export type GameBarProps = {
  title: string;
  play: PlaySnapshot | undefined;
  balance: string | undefined;
  rtp: string | null;
  provable: boolean;
  onBack: () => void;
  onProof: () => void;
  onMenu: () => void;
};

/** Titles with more characters take two lines, because often only the last word distinguishes two games. */
const maxOneLineTitle = 16;

export function GameBar(props: GameBarProps) {
  const { title, play, balance, rtp, provable, onBack, onProof, onMenu } = props;
  const { t } = useLingui();
  return (
    // `data-over` means that the bar covers the app's own bar.
    <header className={styles.head} data-over>
      <div className={styles.bar}>
        <IconButton icon="caret-left" label={t`Leave the game`} onPress={onBack} />
        <div className={styles.words}>
          <h1 className={styles.title} data-long={title.length > maxOneLineTitle}>
            <bdi>{title}</bdi>
          </h1>
          <Balance value={balance} />
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
      <SessionStrip play={play} rtp={rtp} />
    </header>
  );
}
