import { useLingui } from '@lingui/react/macro';

import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import type { Preferences } from './preferences.ts';

import styles from './GameMenu.module.css';

export type GameMenuProps = {
  open: boolean;
  onClose: () => void;
  preferences: Preferences;
  onPreference: (change: Partial<Preferences>) => void;
  proofPath: string;
  hasJackpot: boolean;
  /** Leaves the game for a path, or goes back if there is none. */
  onLeave: (to?: string) => void;
};

export function GameMenu(props: GameMenuProps) {
  const { open, onClose, preferences, onPreference, proofPath, hasJackpot, onLeave } = props;
  const { t } = useLingui();
  const links: { to: string; icon: IconName; label: string }[] = [
    { to: '/m/member/limits', icon: 'timer', label: t`Limits and breaks` },
    { to: '/m/gameRecord', icon: 'receipt', label: t`Betting record` },
    { to: proofPath, icon: 'shield-check', label: t`Check a result` },
    ...(hasJackpot ? [{ to: '/m/jackpot', icon: 'coins-fill' as const, label: t`Jackpot` }] : []),
    { to: '/m/service', icon: 'headset', label: t`Customer service` },
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t`Game menu`}>
      <div className={styles.menu}>
        <Switch checked={preferences.sound} onChange={(sound) => onPreference({ sound })}>
          <Icon name={preferences.sound ? 'speaker-high' : 'speaker-slash'} />
          {t`Sound`}
        </Switch>
        <Switch checked={preferences.haptics} onChange={(haptics) => onPreference({ haptics })}>
          <Icon name="vibrate" />
          {t`Vibration`}
        </Switch>
        <ul>
          {links.map(({ to, icon, label }) => (
            <li key={icon}>
              <button type="button" className={styles.row} onClick={() => onLeave(to)}>
                <Icon name={icon} />
                <span className={styles.label}>{label}</span>
                <Icon name="caret-right" size={16} className={styles.end} />
              </button>
            </li>
          ))}
        </ul>
        <Button variant="secondary" size="md" icon="sign-out" full onPress={() => onLeave()}>
          {t`Leave the game`}
        </Button>
      </div>
    </Sheet>
  );
}
