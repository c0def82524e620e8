import { useEffect } from 'react';

import { homePath, navigate } from '../../lib/router.tsx';

/** The addresses of the closed pages lead home while the site is open. */
export default function OpenScreen() {
  useEffect(() => navigate(homePath, { replace: true }), []);
  return null;
}
