import type { Random } from '../frame/random.ts'

/** Header lines with which a client claims another address. */
export type Form = readonly string[]

const ipv4 = (random: Random): string => Array.from({ length: 4 }, () => random.integer(1, 254)).join('.')
const ipv6 = (random: Random): string =>
  Array.from({ length: 8 }, () => random.integer(0, 0xffff).toString(16)).join(':')

/** Creates an address in an unusual form, or an invalid one. */
const spelled = (random: Random): string => {
  const four = ipv4(random)
  const six = ipv6(random)
  return random.pick([
    four,
    six,
    six.toUpperCase(),
    `${four}:${random.integer(1, 65_535)}`,
    `[${six}]`,
    `[${six}]:${random.integer(1, 65_535)}`,
    `::ffff:${four}`,
    `[::ffff:${four}]:80`,
    `fe80::${random.integer(1, 9_999)}%eth0`,
    `"${four}"`,
    `for=${four}`,
    ` ${four}`,
    `\t${four}\t`,
    `0x${random.integer(0, 2 ** 31).toString(16)}`,
    String(random.integer(0, 2 ** 31)),
    four
      .split('.')
      .map(part => `0${Number(part).toString(8)}`)
      .join('.'),
    four.split('.').slice(0, random.integer(1, 3)).join('.'),
    `${four}.`,
    `${four}/8`,
    `${four};${ipv4(random)}`,
    `${four} ${ipv4(random)}`,
    `unknown`,
    '_hidden',
    'localhost',
    '127.0.0.1',
    '::1',
    '0.0.0.0',
    '::',
    '',
    'null',
    '*',
    `${four}\u00a0`,
    Buffer.from(four).toString('base64'),
    encodeURIComponent(`${four},${four}`),
    `'; drop table core_rate_counts; --`,
    'x'.repeat(random.integer(1, 4_000)),
  ])
}

const list = (random: Random): string =>
  Array.from({ length: random.pick([1, 1, 1, 2, 3, 4, 10, 300]) }, () => spelled(random)).join(
    random.pick([', ', ',', ' , ', ',,', ';', ' ']),
  )

const names = ['X-Forwarded-For', 'x-forwarded-for', 'X-FORWARDED-FOR', 'X-Forwarded-for']
const otherNames = [
  'Forwarded',
  'X-Real-IP',
  'X-Client-IP',
  'Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'X-Cluster-Client-IP',
  'X-Forwarded',
  'Forwarded-For',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Remote-Addr',
  'X_Forwarded_For',
  'X-Forwarded-For-Original',
  'X-ProxyUser-Ip',
  'Via',
  'Remote-Addr',
]

/** Makes one form; every third names the victim somewhere. */
export const makeForm = (random: Random, victim: string): Form => {
  const value = () => {
    const text = list(random).slice(0, 6_000)
    return random.integer(0, 2) === 0 ? random.pick([victim, `${victim}, ${text}`, `${text}, ${victim}`]) : text
  }
  const line = () => `${random.pick(random.integer(0, 3) === 0 ? otherNames : names)}: ${value()}`
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, line)
}

/** Ways in which a proxy may write the address that it was called from. */
const written = (address: string, random: Random): string =>
  address.includes(':')
    ? random.pick([address, address.toUpperCase(), `[${address}]`, `[${address}]:${random.integer(1, 65_535)}`])
    : random.pick([address, address, `${address}:${random.integer(1, 65_535)}`, `::ffff:${address}`])

/**
 * Returns a form after proxies: each appends the address that it was called from, the outermost one that of the client.
 */
export const throughProxies = (form: Form, client: string, proxies: number, random: Random): Form => {
  let lines = [...form]
  let caller = client
  for (let proxy = 1; proxy <= proxies; proxy += 1) {
    const forwarded = lines.filter(line => /^x-forwarded-for:/i.test(line))
    const added = written(caller, random)
    caller = `10.0.0.${proxy}`
    if (forwarded.length === 0 || random.integer(0, 2) === 0) {
      lines.push(`X-Forwarded-For: ${added}`)
      continue
    }
    const joined = forwarded.map(line => line.slice(line.indexOf(':') + 1).trim()).join(', ')
    const rest = lines.filter(line => !forwarded.includes(line))
    lines = [...rest, `X-Forwarded-For: ${joined}${random.pick([', ', ','])}${added}`]
  }
  return lines
}

/** The client's own addresses: one of IPv4, or any of the /64 that it has. */
export const ownAddress = (kind: 'IPv4' | 'IPv6', random: Random): string =>
  kind === 'IPv4' ? '198.51.100.7' : `2001:db8:77:1:${ipv6(random).split(':').slice(4).join(':')}`
