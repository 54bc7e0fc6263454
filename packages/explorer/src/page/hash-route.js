/**
 * Filters of a list of entities; an empty string does not filter.
 *
 * @typedef {object} EntityQuery
 * @property {string} words What is searched for.
 * @property {string} type
 * @property {string} domainClass
 * @property {string} status
 * @property {string} protocol
 * @property {string} controller
 * @property {string} property `name=value`
 * @property {string} after The cursor of the page before.
 */

/**
 * A place of the explorer.
 *
 * @typedef {{ readonly view: 'entities', readonly query: EntityQuery }
 *   | { readonly view: 'entity', readonly did: string }
 *   | { readonly view: 'claims', readonly state: string, readonly after: string }
 *   | { readonly view: 'claim', readonly id: string }
 *   | { readonly view: 'nowhere' }} Place
 */

/** @type {EntityQuery} */
export const noQuery = {
  words: '',
  type: '',
  domainClass: '',
  status: '',
  protocol: '',
  controller: '',
  property: '',
  after: '',
}

const queryNames = /** @type {readonly (keyof EntityQuery)[]} */ (Object.keys(noQuery))

/**
 * Reads the part of an address behind `#`.
 *
 * @param {string} hash
 * @returns {Place}
 */
export const readPlace = hash => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const found = new URLSearchParams(search)
  const text = (/** @type {string} */ name) => (found.get(name) ?? '').trim()
  const [view = '', ...rest] = path.split('/')
  const id = decode(rest.join('/'))
  if ((view === '' || view === 'entities') && id === '') {
    const query = { ...noQuery }
    for (const name of queryNames) query[name] = text(name)
    return { view: 'entities', query }
  }
  if (view === 'entities' && id) return { view: 'entity', did: id }
  if (view === 'claims' && id === '') return { view: 'claims', state: text('state'), after: text('after') }
  if (view === 'claims' && id) return { view: 'claim', id }
  return { view: 'nowhere' }
}

/**
 * @param {string} text
 * @returns {string | undefined}
 */
const decode = text => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** @param {Partial<EntityQuery>} [query] */
export const entitiesHash = query => `#/entities${searchOf({ ...query })}`

/** @param {string} did */
export const entityHash = did => `#/entities/${encodeURIComponent(did)}`

/** @param {{ readonly state?: string, readonly after?: string }} [query] */
export const claimsHash = query => `#/claims${searchOf({ ...query })}`

/** @param {string} id */
export const claimHash = id => `#/claims/${encodeURIComponent(id)}`

/** @param {Readonly<Record<string, string | undefined>>} values */
const searchOf = values => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value)
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
