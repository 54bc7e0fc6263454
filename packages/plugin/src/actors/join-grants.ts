import type { Grant } from './actor.ts'

/** Lists the sources of a grant, each without further ones. */
export const grantSources = ({ also = [], ...own }: Grant): readonly Omit<Grant, 'also'>[] =>
  Object.keys(own).length > 0 ? [own, ...also] : also

/** Joins the sources of two grants: work under both ends when either ends. Limits use the first one. */
export const joinGrants = (own: Grant | undefined, other: Grant | undefined): Grant | undefined => {
  if (!other) return own
  const { also = [], ...first } = own ?? {}
  const known = new Set([first, ...also].map(source => JSON.stringify(source)))
  const further = grantSources(other).filter(source => !known.has(JSON.stringify(source)))
  return further.length > 0 ? { ...first, also: [...also, ...further] } : own
}
