import { useEffect } from 'react';

import { useLoggedIn } from '../../../api/session.ts';
import { useIncrementalRender } from '../../../lib/idle.ts';
import { FavouritesBlock } from './FavouritesBlock.tsx';
import { HomeFooter } from './HomeFooter.tsx';
import { JackpotBlock } from './JackpotBlock.tsx';
import { WinnerPreview } from './WinnerPreview.tsx';

/** The steps in which the blocks are first made: they are scrolled to while they are. */
const jackpotStep = 1;
const winnersStep = 2;
const footerStep = 3;
/** Come back to, they are there at once. */
let made = false;

/** What follows the hot games. It comes when it is nearly scrolled to. */
export default function HomeBlocks() {
  const loggedIn = useLoggedIn();
  const step = useIncrementalRender(footerStep, made);
  useEffect(() => {
    if (step === footerStep) made = true;
  }, [step]);
  return (
    <>
      {loggedIn && <FavouritesBlock />}
      {step >= jackpotStep && <JackpotBlock />}
      {step >= winnersStep && <WinnerPreview />}
      {step >= footerStep && <HomeFooter />}
    </>
  );
}
