import { useEffect } from 'react';

import { useLoggedIn } from '../../../api/session.ts';
import { useIncrementalRender } from '../../../lib/idle.ts';
import { FavouritesBlock } from './FavouritesBlock.tsx';
import { HomeFooter } from './HomeFooter.tsx';
import { JackpotBlock } from './JackpotBlock.tsx';
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
  return (
    <>
      {loggedIn && <FavouritesBlock />}
      {step >= jackpotStep && <JackpotBlock />}
      {step >= winnersStep && <WinnerPreview />}
      {step >= footerStep && <HomeFooter />}
    </>
  );
}
