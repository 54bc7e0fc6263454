import { BlockList, isIP } from 'node:net'

const listOf = (subnets: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Private networks: loopback, private and shared address space, unique local addresses. */
const privateNetworks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]

/** Metadata servers of clouds, which return secrets: link-local addresses, and some among public and private ones. */
const metadataServers = ['168.63.129.16/32', '169.254.0.0/16', '100.100.100.200/32', 'fd00:ec2::/32']

/** Special-purpose networks, including those that embed an IPv4 address (RFC 6890). */
const specialNetworks = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

/** Returns whether a request may be sent to an address: IPv4 with dots, or IPv6 without brackets. */
export type AddressRules = (address: string) => boolean

/**
 * Creates the rule for addresses: public ones, and with `allowPrivate` private ones. Link-local addresses, those of
 * metadata servers, multicast, and IPv6 that only wraps IPv4 (mapped, NAT64, 6to4, Teredo) are never allowed.
 */
export const addressRules = (allowPrivate: boolean): AddressRules => {
  const never = listOf([...metadataServers, ...specialNetworks])
  const own = listOf(privateNetworks)
  const global = listOf(['2000::/3'])
  const mapped = listOf(['::ffff:0:0/96'])
  return address => {
    const version = isIP(address)
    if (version === 0 || address.includes('%')) return false
    const family = version === 6 ? 'ipv6' : 'ipv4'
    // A BlockList takes a mapped address for the IPv4 address in it.
    if (family === 'ipv6' && mapped.check(address, family)) return false
    if (never.check(address, family)) return false
    if (own.check(address, family)) return allowPrivate
    return family === 'ipv4' || global.check(address, family)
  }
}
