import { msg } from '@lingui/core/macro';

import { toast } from '../toastStore.ts';

const maxLoadingSeconds = 10;

/** Toasts for a star being saved. A failure only hides the loading toast. */
export const starToasts = {
  waiting: () => toast.loading({ seconds: maxLoadingSeconds }),
  saved: () => void toast.success(msg`Changes saved`),
  failed: (waiting: number) => toast.hide(waiting),
};
