import { navigate } from '../../lib/router.tsx';
import { openPath } from './address.ts';
import { HelpCentre } from './HelpCentre.tsx';

/** An article in the list. The address follows what is open. */
export default function HelpDetailScreen() {
  return (
    <HelpCentre onOpen={(open) => navigate(openPath('/m/helpDetail', open), { replace: true })} />
  );
}
