import { useLingui } from '@lingui/react/macro';

import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import type { Promised } from './useGame.ts';

import styles from './FairPlay.module.css';

export type FairPlayProps = {
  open: boolean;
  onClose: () => void;
  /** What the game has promised for the next round. */
  promised: Promised | null;
  /** A round has ended here, whose seed can be seen. */
  played: boolean;
  /** The round is everybody's: the table's name stands where a player's own seed does elsewhere. */
  shared: boolean;
  /** Leads to where the last round, or any, is checked. */
  onCheck: () => void;
};

/** Behind the shield: what the next round will be drawn from, before anything is staked on it, and the way to check the last. */
export function FairPlay({ open, onClose, promised, played, shared, onCheck }: FairPlayProps) {
  const { t } = useLingui();
  const other = shared ? t`Table` : t`Client seed`;
  return (
    <Sheet open={open} onClose={onClose} title={t`Fair play`}>
      <div className={styles.body}>
        <p className={styles.text}>
          {promised
            ? t`The server has fixed its seed already. This is its fingerprint; the seed itself is shown after the round.`
            : t`The game has not said yet what its next round will be drawn from.`}
        </p>
        {promised && (
          <>
            <h3 className={styles.head}>{t`Promised before the round`}</h3>
            <Hex value={promised.commitment} label={t`Commitment`} />
            <dl className={styles.pair}>
              <dt>{t`Number (nonce)`}</dt>
              <dd>
                <Hex value={String(promised.nonce)} label={t`Number (nonce)`} plain />
              </dd>
              <dt>{other}</dt>
              <dd>
                <Hex value={promised.clientSeed} label={other} plain />
              </dd>
            </dl>
          </>
        )}
        <Button variant="secondary" size="md" icon="shield-check" full onPress={onCheck}>
          {played ? t`Check the last round` : t`Check a result`}
        </Button>
      </div>
    </Sheet>
  );
}
