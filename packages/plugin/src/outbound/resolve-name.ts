import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { ResolvedAddress, ResolveName } from './checked-target.ts'

/** Options for `createResolveName`. */
export interface ResolveNameOptions {
  /** Name servers as `address` or `address:port`. @default those of the computer */
  readonly servers?: readonly string[]
  /** @default the hosts file of the computer */
  readonly hostsFile?: string
  /** The file that lists search domains. @default '/etc/resolv.conf' */
  readonly resolvFile?: string
  /** Time limit of a resolution, in milliseconds. @default 5_000 */
  readonly timeLimitMs?: number
}

/** Timeout of one query to a name server, in milliseconds, and the number of tries. */
const question = { timeout: 1_500, tries: 2 }

/** Maximum used addresses of a name, and tried search domains, as in the C library. */
const maxAddresses = 32
const maxDomains = 6

const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/**
 * Creates a resolver for host names that a stranger may have chosen. It reads the hosts file and queries name servers
 * over sockets, with the search domains. `dns.lookup` of the C library would block one of few threads of the process as
 * long as a slow name server takes, and other resolutions would wait. Names that only the C library resolves, such as
 * mDNS, are not found.
 *
 * It throws an error with the code `ENOTFOUND`, or `EAI_AGAIN` when no name server responds in time.
 */
export const createResolveName = ({
  servers,
  hostsFile = systemHosts,
  resolvFile = '/etc/resolv.conf',
  timeLimitMs = 5_000,
}: ResolveNameOptions = {}): ResolveName => {
  return async hostname => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const own = addressesIn(await textOf(hostsFile), name)
    if (own.length > 0) return own
    if (/(^|\.)localhost$/.test(name)) return loopback
    const domains = hostname.endsWith('.') ? [] : searchDomains(await textOf(resolvFile))
    const resolver = new Resolver(question)
    if (servers) resolver.setServers(servers)
    const limit = setTimeout(() => resolver.cancel(), timeLimitMs)
    try {
      for (const each of [name, ...domains.map(domain => `${name}.${domain}`)]) {
        const addresses = await ask(resolver, each)
        if (addresses.length > 0) return addresses.slice(0, maxAddresses)
      }
    } finally {
      clearTimeout(limit)
    }
    throw failure('ENOTFOUND')
  }
}

const loopback: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Error codes for a missing name, or a name without an address of that family. */
const nothing = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Returns the addresses of a name, IPv4 first; empty if the name does not exist. */
const ask = async (resolver: Resolver, name: string): Promise<readonly ResolvedAddress[]> => {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [four, six].flatMap(result => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses.map(address => ({ address, family: isIP(address) }))
  for (const result of [four, six]) {
    if (result.status === 'rejected' && !nothing.has(result.reason.code)) throw failure('EAI_AGAIN', result.reason)
  }
  return []
}

const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN', cause?: unknown): Error =>
  Object.assign(new Error(`The host name cannot be resolved (${code}).`, { cause }), { code })

/** Returns the text of a file; empty if it cannot be read. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

const linesOf = (text: string): string[][] =>
  text.split('\n').map(line =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  )

const addressesIn = (hosts: string, name: string): readonly ResolvedAddress[] =>
  linesOf(hosts.toLowerCase()).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.includes(name) ? [{ address, family: isIP(address) }] : [],
  )

/** Returns the domains of the last line with search domains. */
const searchDomains = (resolvConf: string): readonly string[] => {
  const last = linesOf(resolvConf).findLast(([keyword]) => keyword === 'search' || keyword === 'domain')
  return (last ?? []).slice(1, 1 + maxDomains).filter(domain => domain !== '.')
}
