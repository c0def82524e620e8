import { useLingui } from '@lingui/react/macro';

import { lotterySeriesSource, type LotteryDraw, type LotteryGame } from '../../api/lottery.ts';
import type { FastLottery } from '../../lib/fairness-lottery.ts';
import { shortNumero } from '../../lib/numero.ts';
import { DrawProof } from '../../ui/display/DrawProof.tsx';
import { Sheet } from '../../ui/Sheet.tsx';

type DrawProofSheetProps = {
  open: boolean;
  onClose: () => void;
  game: LotteryGame;
  draw: LotteryDraw;
  proof: NonNullable<LotteryDraw['proof']>;
};

/** Computes a draw again from its seed, on this device. */
export default function DrawProofSheet({ open, onClose, game, draw, proof }: DrawProofSheetProps) {
  const { t } = useLingui();
  const name = shortNumero(draw.numero);
  return (
    <Sheet open={open} onClose={onClose} title={t`Check of draw ${name}`}>
      <DrawProof
        type={game.type as FastLottery}
        gameCode={game.gameCode}
        draw={draw}
        proof={proof}
        source={lotterySeriesSource}
      />
    </Sheet>
  );
}
