import { msg } from '@lingui/core/macro';

import { toast } from '../toastStore.ts';

/** The wait for the server is not shown for longer. */
const patienceSeconds = 10;

/** What is said about a star that is being given or taken away. One that could not be stays as it was, and that is all. */
export const starToasts = {
  waiting: () => toast.loading({ seconds: patienceSeconds }),
  saved: () => void toast.success(msg`Changes saved`),
  failed: (waiting: number) => toast.hide(waiting),
};
