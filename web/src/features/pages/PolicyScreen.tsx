import { usePath } from '../../lib/router.tsx';
import { PageScreen } from './PageScreen.tsx';

/** A policy of the footer, by its name in the address. */
export default function PolicyScreen() {
  const name = usePath().split('/')[3] ?? '';
  return <PageScreen key={name} name={name} />;
}
