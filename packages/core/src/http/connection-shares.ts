import type { Socket } from 'node:net'
import type { AddressList } from '@sibyl/plugin'
import { networksOf, normalAddress, siteShares } from '@sibyl/plugin/host'

/** The maximum connections of one address, and of an IPv6 /64; a /48 may have a multiple. */
export interface ConnectionShare {
  readonly max: number
  /** The addresses of proxies, which connect for others. */
  readonly except: Pick<AddressList, 'has'>
}

/** Counts the connections of each address; returns whether a new one may stay. */
export const countConnections = (share: ConnectionShare | undefined): ((socket: Socket) => boolean) => {
  if (share === undefined) return () => true
  const open = new Map<string, number>()
  return socket => {
    const address = normalAddress(socket.remoteAddress ?? '')
    if (address === undefined || share.except.has(address)) return true
    const { own, site } = networksOf(address)
    const limits =
      own === site
        ? [[own, share.max] as const]
        : ([
            [own, share.max],
            [site, siteShares * share.max],
          ] as const)
    if (limits.some(([network, max]) => (open.get(network) ?? 0) >= max)) return false
    for (const [network] of limits) open.set(network, (open.get(network) ?? 0) + 1)
    socket.once('close', () => {
      for (const [network] of limits) {
        const left = (open.get(network) ?? 1) - 1
        if (left > 0) open.set(network, left)
        else open.delete(network)
      }
    })
    return true
  }
}
