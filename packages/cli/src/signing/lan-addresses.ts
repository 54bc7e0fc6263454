import { isIPv4 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** An address under which other devices may reach this computer. */
export interface LanAddress {
  readonly address: string
  /** The name of its network interface: `wlan0`. */
  readonly network: string
}

/** Networks inside this computer: of containers, virtual machines and tunnels. No phone is in them. */
const inside =
  /^(docker|br-|bridge\d|veth|virbr|vboxnet|VirtualBox|vmnet|VMware|vEthernet|lxc|lxdbr|cni|flannel|podman|tun|tap|utun|wg|nordlynx|proton|ipsec|ppp|zt|tailscale)/i

/** Addresses that are given out in homes and offices (RFC 1918), the usual ones first. */
const privateRanges = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./]

/**
 * The addresses at which a phone may reach this computer, the likeliest first: private ones before others, those of
 * networks inside this computer last. IPv6 only where a phone can reach no IPv4 address: its codes are larger.
 *
 * @param interfaces As the operating system lists them.
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
