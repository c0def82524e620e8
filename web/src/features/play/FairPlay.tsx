import { useLingui } from '@lingui/react/macro';

import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import type { NextRound } from './useGame.ts';

import styles from './FairPlay.module.css';

export type FairPlayProps = {
  open: boolean;
  onClose: () => void;
  nextRound: NextRound | null;
  /** At least one round has ended, so its seed is public. */
  hasPlayed: boolean;
  /** All players share the round: the table's name replaces the client seed. */
  isShared: boolean;
  onCheck: () => void;
};

/** Shows the next round's commitment before the bet. */
export function FairPlay(props: FairPlayProps) {
  const { open, onClose, nextRound, hasPlayed, isShared, onCheck } = props;
  const { t } = useLingui();
  const seedLabel = isShared ? t`Table` : t`Client seed`;
  return (
    <Sheet open={open} onClose={onClose} title={t`Fair play`}>
      <div className={styles.body}>
        <p className={styles.text}>
          {nextRound
            ? t`The server has fixed its seed already. This is its fingerprint; the seed itself is shown after the round.`
            : t`The game has not said yet what its next round will be drawn from.`}
        </p>
        {nextRound && (
          <>
            <h3 className={styles.head}>{t`Promised before the round`}</h3>
            <Hex value={nextRound.commitment} label={t`Commitment`} />
            <dl className={styles.pair}>
              <dt>{t`Number (nonce)`}</dt>
              <dd>
                <Hex value={String(nextRound.nonce)} label={t`Number (nonce)`} plain />
              </dd>
              <dt>{seedLabel}</dt>
              <dd>
                <Hex value={nextRound.clientSeed} label={seedLabel} plain />
              </dd>
            </dl>
          </>
        )}
        <Button variant="secondary" size="md" icon="shield-check" full onPress={onCheck}>
          {hasPlayed ? t`Check the last round` : t`Check a result`}
        </Button>
      </div>
    </Sheet>
  );
}
