/** Returns whether an address may be in the operator's private network. */
export type PrivateHosts = (address: URL) => boolean

/** Value that allows the whole private network. */
const everywhere = 'true'

/** Default value, which allows none of it. */
const nowhere = 'false'

export const isHostList = (text: string): boolean =>
  text === everywhere ||
  text === nowhere ||
  namesOf(text).every(name => URL.canParse(`http://${name}/`) && !/[/@?#\s]/.test(name))

/**
 * Parses the hosts whose addresses may be private: `true`, `false`, or hosts separated by commas, with one port or for
 * all ports.
 *
 * @example readHostList('wiki.internal, 10.0.0.5:8080')
 */
export const readHostList = (text: string | undefined): PrivateHosts => {
  if (text === undefined || text === nowhere) return () => false
  if (text === everywhere) return () => true
  const names = new Set(namesOf(text).map(asWritten))
  return ({ hostname, port, protocol }) =>
    names.has(hostname) || names.has(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
}

const namesOf = (text: string): string[] =>
  text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** Returns a name in the form of URLs: lower case and Punycode, with its port. */
const asWritten = (name: string): string => {
  const { hostname } = new URL(`http://${name}/`)
  return hostname + (/:\d+$/.exec(name.replace(/^\[.*\]/, '')) ?? '')
}
