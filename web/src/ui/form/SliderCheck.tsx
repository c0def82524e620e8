import { useLingui } from '@lingui/react/macro';

import { Icon } from '../Icon.tsx';
import { SliderSheet, type Challenge } from './SliderSheet.tsx';

import styles from './SliderCheck.module.css';

export type SliderCheckProps = {
  /** The check was passed, and the pass is still valid. */
  passed: boolean;
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
  onPass: (pass: string) => void;
  challenge: Challenge;
};

export function SliderCheck({
  passed,
  open,
  onOpen,
  onClose,
  onPass,
  challenge,
}: SliderCheckProps) {
  const { t } = useLingui();
  return (
    <>
      <button type="button" className={styles.slider} disabled={passed} onClick={onOpen}>
        <span className={styles.mark}>
          <Icon name={passed ? 'check-bold' : 'sliders-horizontal'} size={20} />
        </span>
        <span className={styles.words}>
          <strong>{t`Slider check`}</strong>
          <span>{passed ? t`Check passed` : t`Tap to open, it takes a few seconds`}</span>
        </span>
        <Icon name="caret-right" size={18} />
      </button>
      <SliderSheet open={open} onClose={onClose} challenge={challenge} onPass={onPass} />
    </>
  );
}
