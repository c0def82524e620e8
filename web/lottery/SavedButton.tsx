import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Button } from '../src/ui/Button.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { selectionText } from './CartPanel.tsx';
import { useGameContext, useTranslate } from './context.ts';
import { Panel } from './Panel.tsx';
import { playName } from './play-texts.ts';
import { forgetNumbers, savedNumbers, saveNumbers } from './saved.ts';
import { isError, parseSelection } from './selection.ts';
import type { Play } from './wire.ts';

import styles from './PasteButton.module.css';

export type SavedButtonProps = {
  play: Play;
  /** The current selection, or empty. */
  selection: string;
  onUse: (saved: { selection: string; lines: number }) => void;
};

/** Saves selections of a play, and adds saved ones to the cart. */
export function SavedButton({ play, selection, onUse }: SavedButtonProps) {
  const { t } = useLingui();
  const translate = useTranslate();
  const { game } = useGameContext();
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState(() => savedNumbers(game.gameId));
  const name = translate(playName(game.type, play.playCode));
  const savedForPlay = saved
    .map((numbers, index) => ({
      ...numbers,
      index,
      parsed: parseSelection(play, numbers.selection),
    }))
    .filter(({ playCode, parsed }) => playCode === play.playCode && !isError(parsed));

  return (
    <>
      <Button variant="outline" size="sm" icon="star" onPress={() => setOpen(true)}>
        {t`My numbers`}
      </Button>
      <Panel
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t`My numbers: ${name}`}
        footer={
          selection !== '' && (
            <Button
              full
              onPress={() =>
                setSaved(saveNumbers(game.gameId, { playCode: play.playCode, selection }))
              }
            >
              {t`Save the chosen numbers`}
            </Button>
          )
        }
      >
        {savedForPlay.length === 0 ? (
          <Empty
            icon="star"
            title={t`Nothing saved yet`}
            text={t`Choose numbers, then save them here.`}
          />
        ) : (
          <ul className={styles.list}>
            {savedForPlay.map(({ selection: text, index, parsed }) => (
              <li key={text} className={styles.row}>
                <button
                  type="button"
                  className={styles.use}
                  onClick={() => {
                    if (isError(parsed)) return;
                    setOpen(false);
                    onUse({ selection: text, lines: parsed.lines });
                  }}
                >
                  <b>
                    <bdi>{selectionText(text, translate)}</bdi>
                  </b>
                  <span>{t`Add to the cart`}</span>
                </button>
                <IconButton
                  icon="x"
                  iconSize={18}
                  label={t`Forget these numbers`}
                  onPress={() => setSaved(forgetNumbers(game.gameId, index))}
                />
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}
