import { usePath } from '../../lib/router.tsx';
import { PageScreen } from './PageScreen.tsx';

/** A policy page; its name is part of the path. */
export default function PolicyScreen() {
  const name = usePath().split('/')[3] ?? '';
  return <PageScreen key={name} name={name} />;
}
