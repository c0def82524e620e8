/** The place in a screen's bar that the screen itself may fill. */
export const barActionsId = 'bar-actions';
