import { isIPv4, isIPv6 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'

/** The requested address of the page. */
export interface SigningPlaceOptions {
  /** The address or name of this computer for phones. @default `SIBYL_SIGNING_HOST`, else detected */
  readonly host?: string | undefined
  /** An `https` origin that forwards to the signing port of this computer. @default `SIBYL_SIGNING_URL` */
  readonly url?: string | undefined
}

export interface SigningPlace {
  readonly host: string
  /** Returns the origin of the link for a port of the server. */
  origin(port: number): string
  /** Further candidate addresses. */
  readonly others: readonly LanAddress[]
  /** Whether a phone can reach it: false for an address of this computer alone. */
  readonly isForPhones: boolean
  /** Whether a tunnel of the user forwards to it, to one fixed port. */
  readonly isTunnelled: boolean
}

/**
 * Finds the address at which phones reach this computer.
 *
 * @throws `usage_invalid` when the requested address is invalid; `signing_offline` when this computer is not in a
 * network
 */
export const signingPlace = (
  { env }: Pick<CommandIo, 'env'>,
  options: SigningPlaceOptions,
  addresses: readonly LanAddress[] = lanAddresses(),
): SigningPlace => {
  const url = options.url ?? env.SIBYL_SIGNING_URL
  const wanted = options.host ?? env.SIBYL_SIGNING_HOST
  if (url) return tunnelled(url)
  if (wanted) return at(wanted, [])
  const [best, ...others] = addresses
  if (best) return at(best.address, others)
  throw cliErrors.signing_offline(
    'This computer is not in a network, so no phone can reach it.',
    'Join the network of your phone, or its hotspot. To sign with a browser on this computer, set SIBYL_SIGNING_HOST=127.0.0.1',
  )
}

/** Wildcard addresses, which a phone cannot open. */
const all = ['0.0.0.0', '[::]']

const at = (name: string, others: readonly LanAddress[]): SigningPlace => {
  const host = name.replace(/^\[(.*)\]$/, '$1')
  const written = isIPv6(host) ? `[${host}]` : host
  const isName = isIPv4(host) || isIPv6(host) || /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host)
  const hostname = isName ? URL.parse(`http://${written}`)?.hostname : undefined
  if (hostname === undefined || all.includes(hostname)) {
    throw cliErrors.usage_invalid(
      'The host for signing is not an address of this computer.',
      'Write it as 192.168.1.5, without a scheme or a port.',
    )
  }
  const isForPhones = !/^(127\.|::1$|localhost$)/i.test(host)
  return {
    host,
    origin: port => new URL(`http://${written}:${port}`).origin,
    others,
    isForPhones,
    isTunnelled: false,
  }
}

const tunnelled = (text: string): SigningPlace => {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search + url.hash + url.username !== '') {
    throw cliErrors.usage_invalid(
      'The URL for signing is not an https origin.',
      'Write it as https://sign.example.org, and forward it to the port on 127.0.0.1.',
    )
  }
  return { host: '127.0.0.1', origin: () => url.origin, others: [], isForPhones: true, isTunnelled: true }
}

/** An address under which other devices may reach this computer. */
interface LanAddress {
  readonly address: string
  /** The name of its network interface: `wlan0`. */
  readonly network: string
}

/** Networks inside this computer: of containers, virtual machines and tunnels. Phones cannot reach them. */
const inside =
  /^(docker|br-|bridge\d|veth|virbr|vboxnet|VirtualBox|vmnet|VMware|vEthernet|lxc|lxdbr|cni|flannel|podman|tun|tap|utun|wg|nordlynx|proton|ipsec|ppp|zt|tailscale)/i

/** Private address ranges (RFC 1918), the most common ones first. */
const privateRanges = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./]

/**
 * Returns the addresses at which a phone may reach this computer, the likeliest first: private ones first, those of
 * internal networks last. IPv6 only without an IPv4 address: its codes are larger.
 *
 * @param interfaces As listed by the operating system.
 */
export const lanAddresses = (
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>> = networkInterfaces(),
): LanAddress[] => {
  const found = Object.entries(interfaces)
    .flatMap(([network, infos = []]) => infos.map(info => ({ ...info, network })))
    .filter(({ internal, address }) => !internal && !/^(169\.254\.|fe[89ab])/i.test(address))
    .map(({ address, network }) => ({ address, network }))
    .toSorted((one, other) => rank(one) - rank(other))
  const [best] = found
  return best && isIPv4(best.address) ? found.filter(({ address }) => isIPv4(address)) : found
}

const rank = ({ address, network }: LanAddress): number => {
  const range = privateRanges.findIndex(pattern => pattern.test(address))
  return (inside.test(network) ? 10 : 0) + (isIPv4(address) ? 0 : 5) + (range < 0 ? privateRanges.length : range)
}
