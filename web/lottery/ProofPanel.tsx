import { useLingui } from '@lingui/react/macro';

import type { FastLottery } from '../src/lib/fairness-lottery.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { DrawProof } from '../src/ui/display/DrawProof.tsx';
import { lottery } from './api.ts';
import { useGameContext } from './context.ts';
import { Panel } from './Panel.tsx';
import type { Draw } from './wire.ts';

/** Computes a draw again from its seed, on this device. */
export function ProofPanel({ draw, onClose }: { draw: Draw | null; onClose: () => void }) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const name = draw ? shortNumero(draw.numero) : '';
  return (
    <Panel open={draw?.proof !== undefined} onClose={onClose} title={t`Check of draw ${name}`}>
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
