/** Whether an address may be one of the operator's own network. */
export type PrivateHosts = (address: URL) => boolean

/** The value that allows all of it. */
const everywhere = 'true'

/** What is allowed where the variable says nothing. */
const nowhere = 'false'

/** Whether a text is such a list. */
export const isHostList = (text: string): boolean =>
  text === everywhere ||
  text === nowhere ||
  namesOf(text).every(name => URL.canParse(`http://${name}/`) && !/[/@?#\s]/.test(name))

/**
 * Reads whose addresses may be private: `true`, `false`, or hosts separated by commas, with a port or for all of their ports.
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

/** A name as addresses have it: in lower case and Punycode, its port as it is. */
const asWritten = (name: string): string => {
  const { hostname } = new URL(`http://${name}/`)
  return hostname + (/:\d+$/.exec(name.replace(/^\[.*\]/, '')) ?? '')
}
