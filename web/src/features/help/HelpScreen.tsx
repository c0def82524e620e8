import { navigate } from '../../lib/router.tsx';
import { openPath } from './address.ts';
import { HelpCentre } from './HelpCentre.tsx';

/** The list of topics. An article opens its own address. */
export default function HelpScreen() {
  return (
    <HelpCentre
      hasShortcuts
      onOpen={(open) =>
        open.articleIndex === null
          ? navigate(openPath('/m/help', open), { replace: true })
          : navigate(openPath('/m/helpDetail', open))
      }
    />
  );
}
