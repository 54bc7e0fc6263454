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
  /** How long a lookup may take, in milliseconds. @default 5_000 */
  readonly timeLimitMs?: number
}

/** How long a name server may take for one answer, in milliseconds, and how often it is asked. */
const question = { timeout: 1_500, tries: 2 }

/** The most addresses of a name that are used, and search domains that are tried, as in the C library. */
const mostAddresses = 32
const mostDomains = 6

const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/**
 * Makes a lookup for names that a stranger may have chosen. It reads the hosts file and asks name servers over sockets, with
 * the search domains. The lookup of the C library (`dns.lookup`) would hold one of two threads of the process for as long as
 * a slow name server likes, and every other lookup would wait. What only the C library knows, such as mDNS, is not found.
 *
 * The lookup throws an error with the code `ENOTFOUND`, or `EAI_AGAIN` where no name server answers in time.
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
        if (addresses.length > 0) return addresses.slice(0, mostAddresses)
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

/** Codes that say that there is no such name, or no address of that family. */
const nothing = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** The addresses of a name, IPv4 first; none where there is no such name. */
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

/** A file's text; empty where it cannot be read. */
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

/** The domains of the last line that names some. */
const searchDomains = (resolvConf: string): readonly string[] => {
  const last = linesOf(resolvConf).findLast(([keyword]) => keyword === 'search' || keyword === 'domain')
  return (last ?? []).slice(1, 1 + mostDomains).filter(domain => domain !== '.')
}
