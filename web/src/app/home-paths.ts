/** The paths of home. They are in a separate file, because the inline script of index.html uses them too. */
export const homePaths = ['/m/home', '/', '/m', '/m/index', '/m/index.html'] as const;
