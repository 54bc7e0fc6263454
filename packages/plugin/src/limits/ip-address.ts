import { isIPv4, isIPv6 } from 'node:net'

/** Maximum length of an address with brackets, zone and port. */
const maxLength = 100

/**
 * Parses an address from a socket or proxy: with a port, in brackets, with a zone, or IPv4 inside IPv6.
 *
 * @returns the canonical form (IPv4 with dots, IPv6 as eight groups without leading zeros); undefined for an invalid
 * address
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

/** Returns the eight groups of a valid IPv6 address. */
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
  /** The network of one customer: the IPv4 address itself, the /64 of an IPv6 one. */
  readonly own: string
  /** The network of one site, for shares of a common limit: the IPv4 address itself, the /48 of an IPv6 one. */
  readonly site: string
  /** The network used when there are too many addresses to count: /16 of IPv4, /32 of IPv6. */
  readonly wide: string
}

/** Returns the networks of an address of `normalAddress`. */
export const networksOf = (address: string): AddressNetworks => {
  if (!address.includes(':')) return { own: address, site: address, wide: address.split('.', 2).join('.') }
  const groups = address.split(':')
  const network = (bits: number) => `${groups.slice(0, bits / 16).join(':')}::/${bits}`
  return { own: network(64), site: network(48), wide: network(32) }
}
