import { isIPv4, isIPv6 } from 'node:net'
import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { type LanAddress, lanAddresses } from './lan-addresses.ts'

/** Where the page is served, as it was asked for. */
export interface SigningPlaceOptions {
  /** The address or name of this computer that phones reach. @default `SIBYL_SIGNING_HOST`, else found */
  readonly host?: string | undefined
  /** An `https` origin that leads to this computer's signing port. @default `SIBYL_SIGNING_URL` */
  readonly url?: string | undefined
}

/** Where the page is served. */
export interface SigningPlace {
  /** What the server listens on. */
  readonly host: string
  /** The origin of the link, by the port that the server listens on. */
  origin(port: number): string
  /** Further addresses that might be the right one. */
  readonly others: readonly LanAddress[]
  /** Whether a phone can be in the same place: not at an address that only this computer reaches. */
  readonly isForPhones: boolean
  /** Whether something of the user's own leads there, which knows one port. */
  readonly isTunnelled: boolean
}

/**
 * Finds where phones reach this computer.
 *
 * @throws `usage_invalid` where what was asked for is no address; `signing_offline`
 *   where this computer is in no network
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
    'This computer is in no network, so no phone can reach it.',
    'Join the network of your phone, or its hotspot. A browser on this computer can sign too: SIBYL_SIGNING_HOST=127.0.0.1',
  )
}

/** Every address of a computer, which is none that a phone can open. */
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
      'Write it as https://sign.example.org, and lead it to the port on 127.0.0.1.',
    )
  }
  return { host: '127.0.0.1', origin: () => url.origin, others: [], isForPhones: true, isTunnelled: true }
}
