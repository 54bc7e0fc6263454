/** The product token that sites name in robots.txt. */
export const robotName = 'SibylBot'

/** How the oracle presents itself to sites. @param did its did:web; the domain tells whose robot it is */
export const userAgentOf = (did: string): string => {
  const domain = decodeURIComponent(/^did:web:([^:]+)/.exec(did)?.[1] ?? '')
  const isPublic = /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(domain)
  return isPublic ? `${robotName}/1.0 (+https://${domain})` : `${robotName}/1.0`
}
