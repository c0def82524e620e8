/** The addresses of home. The page's first script knows them too, so that they stand alone. */
export const homePaths = ['/m/home', '/', '/m', '/m/index', '/m/index.html'] as const;
