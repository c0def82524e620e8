/** The settings that open in a sheet, by their names in links. */
export const parts = ['mobile', 'email', 'payment', 'question'] as const;

export type Part = (typeof parts)[number];
