/** A page that is built separately from the app. */
export type Page = {
  /** The folder of its sources, and of its files in the build. */
  name: string;
  /** Where the server serves it, with everything below. */
  path: string;
};

export const pages: readonly Page[] = [
  { name: 'house', path: '/m/house' },
  { name: 'lottery', path: '/m/lotto-h5' },
  { name: 'console', path: '/console' },
];
