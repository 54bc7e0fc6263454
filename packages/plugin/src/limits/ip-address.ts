import { isIPv4, isIPv6 } from 'node:net'

/** The longest text that can name an address, with its brackets, zone and port. */
const maxLength = 100

/**
 * Reads an address as sockets and proxies write it: with a port, in brackets, with a zone, an IPv4 one inside IPv6.
 *
 * @returns one text for one address (IPv4 with dots, IPv6 as eight groups without leading zeros); undefined for junk
 * @example normalAddress('[::ffff:102:304]:443') // '1.2.3.4'
 */
export const normalAddress = (text: string): string | undefined => {
  const given = text.length > maxLength ? '' : text.trim()
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(given)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(given)?.[1] ?? given
  if (isIPv4(bare)) return bare
  const zone = bare.indexOf('%')
  const address = zone < 0 ? bare : bare.slice(0, zone)
  return isIPv6(address) ? normalIpv6(address) : undefined
}

const normalIpv6 = (address: string): string => {
  const groups = groupsOf(address)
  const mapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (mapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  return groups.map(group => group.toString(16)).join(':')
}

/** The eight groups of a valid IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const before = readGroups(head)
  if (tail === undefined) return before
  const after = readGroups(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const readGroups = (text: string): number[] =>
  text.split(':').flatMap(group => {
    if (group === '') return []
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })

/** The networks that an address is counted in. */
export interface AddressNetworks {
  /** What one customer has: the IPv4 address itself, the /64 of an IPv6 one. */
  readonly own: string
  /** One site, for shares of a cap that is for all: the IPv4 address itself, the /48 of an IPv6 one. */
  readonly site: string
  /** What stands in for it when there are more addresses than can be counted: /16 of IPv4, /32 of IPv6. */
  readonly wide: string
}

/** The networks of an address that `normalAddress` gave. */
export const networksOf = (address: string): AddressNetworks => {
  if (!address.includes(':')) return { own: address, site: address, wide: address.split('.', 2).join('.') }
  const groups = address.split(':')
  const network = (bits: number) => `${groups.slice(0, bits / 16).join(':')}::/${bits}`
  return { own: network(64), site: network(48), wide: network(32) }
}
