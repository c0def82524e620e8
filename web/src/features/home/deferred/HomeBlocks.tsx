import { useEffect } from 'react';

import { fastLottery, lottery } from '../../../api/categories.gen.ts';
import { useLoggedIn } from '../../../api/session.ts';
import { useIncrementalRender } from '../../../lib/idle.ts';
import { useAddressQuery } from '../../../lib/router.tsx';
import { FavouritesBlock } from './FavouritesBlock.tsx';
import { HomeFooter } from './HomeFooter.tsx';
import { JackpotBlock } from './JackpotBlock.tsx';
import { LotteryBlock } from './LotteryBlock.tsx';
import { WinnerPreview } from './WinnerPreview.tsx';

/** The blocks first render in steps, to keep scrolling smooth. */
const jackpotStep = 1;
const winnersStep = 2;
const footerStep = 3;
/** Later visits render at once. */
let hasRendered = false;

/** The blocks below the hot games. */
export default function HomeBlocks() {
  const loggedIn = useLoggedIn();
  const step = useIncrementalRender(footerStep, hasRendered);
  useEffect(() => {
    if (step === footerStep) hasRendered = true;
  }, [step]);
  // In the lottery's categories its draws come first.
  const category = useAddressQuery().get('category');
  const isLottery = category === lottery || category === fastLottery;
  return (
    <>
      {isLottery && <LotteryBlock />}
      {loggedIn && <FavouritesBlock />}
      {step >= jackpotStep && <JackpotBlock />}
      {step >= winnersStep && !isLottery && <LotteryBlock />}
      {step >= winnersStep && <WinnerPreview />}
      {step >= footerStep && <HomeFooter />}
    </>
  );
}
