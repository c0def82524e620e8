import { msg } from '@lingui/core/macro';

// The specification fixes these texts.
export const popupBlocked = msg({
  id: 'popup_blocked',
  message: 'Popup blocked, please allow popups and try again',
});
export const emptyUrl = msg({ id: 'empty_url', message: 'The requested URL is empty' });
