/** The parts of the security screen that are set in a sheet, by the names that links to them use. */
export const parts = ['mobile', 'email', 'payment', 'question'] as const;

export type Part = (typeof parts)[number];
