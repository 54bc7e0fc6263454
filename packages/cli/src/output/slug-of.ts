/**
 * A name for files and users, of lower-case letters, digits and hyphens, from a name for people: `Field Oracle` becomes
 * `field-oracle`. At most 40 characters; `oracle` where nothing is left.
 */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '') || 'oracle'
