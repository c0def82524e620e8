import { useLingui } from '@lingui/react/macro';

import type { FastLottery } from '../src/lib/fairness-lottery.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { DrawProof } from '../src/ui/display/DrawProof.tsx';
import { lottery } from './api.ts';
import { useGameContext } from './context.ts';
import { Panel } from './Panel.tsx';
import type { Draw } from './wire.ts';

type ProofPanelProps = { open: boolean; onClose: () => void; draw: Draw | null };

/** Computes a draw again from its seed, on this device. */
export default function ProofPanel({ open, onClose, draw }: ProofPanelProps) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const name = draw ? shortNumero(draw.numero) : '';
  return (
    <Panel open={open} onClose={onClose} title={t`Check of draw ${name}`}>
      {draw?.proof && (
        <DrawProof
          key={draw.numero}
          type={game.type as FastLottery}
          gameCode={game.gameCode}
          draw={draw}
          proof={draw.proof}
          source={lottery}
        />
      )}
    </Panel>
  );
}
