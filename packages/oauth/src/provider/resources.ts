/** Returns the path of a resource below the URL of the oracle, such as `/mcp`; undefined if it is elsewhere. */
export const resourcePath = (resource: string, url: string): string | undefined => {
  const parsed = URL.parse(resource)
  if (parsed === null || parsed.search !== '' || parsed.hash !== '') return undefined
  const own = new URL(url)
  if (parsed.origin !== own.origin) return undefined
  const base = withoutSlash(own.pathname)
  const path = withoutSlash(parsed.pathname)
  return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
}

/** Returns whether a token for a resource is valid at a path. */
export const isWithin = (resource: string, url: string, path: string): boolean => {
  const allowed = resourcePath(resource, url)
  return allowed !== undefined && (allowed === '' || path === allowed || path.startsWith(`${allowed}/`))
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')
