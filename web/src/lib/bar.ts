/** The part of the title bar that a screen can fill. */
export const barActionsId = 'bar-actions';
