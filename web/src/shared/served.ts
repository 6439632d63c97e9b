/** The path that the service gave this page at; a proxy may have cut off what comes before it in the address. */
const { path = '/' } = document.documentElement.dataset;
const { origin, pathname } = location;
const PREFIX = pathname.endsWith(path) ? pathname.slice(0, -path.length) : pathname;

/** Returns the address of a path of the service, below the same prefix as this page. */
export function served(path: string): string {
  return `${origin}${PREFIX}${path}`;
}
