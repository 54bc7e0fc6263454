import type { Socket } from 'node:net'
import type { AddressList } from '@sibyl/plugin'
import { networksOf, normalAddress } from '@sibyl/plugin/host'

/** The maximum connections of one address. */
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
    const { site } = networksOf(address)
    const count = open.get(site) ?? 0
    if (count >= share.max) return false
    open.set(site, count + 1)
    socket.once('close', () => {
      const left = (open.get(site) ?? 1) - 1
      if (left > 0) open.set(site, left)
      else open.delete(site)
    })
    return true
  }
}
