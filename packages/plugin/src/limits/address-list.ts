import { BlockList, isIP, isIPv4 } from 'node:net'
import { z } from 'zod'

/** A set of addresses and networks. */
export interface AddressList {
  /** @param address IPv4 with dots, or IPv6 in any form. */
  has(address: string): boolean
}

/**
 * Parses addresses and networks (CIDR) of IPv4 and IPv6, separated by commas or spaces.
 *
 * @returns the first entry that is neither, as `{ fault }`, where there is one
 * @example
 * readAddressList('196.216.0.4, 10.0.0.0/8, 2001:db8::/32')
 */
export const readAddressList = (text: string): AddressList | { readonly fault: string } => {
  const list = new BlockList()
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) if (!add(list, entry)) return { fault: entry }
  return { has: address => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** A variable that holds addresses and networks. */
export const addressList = z
  .string()
  .max(10_000)
  .transform((text, context) => {
    const list = readAddressList(text)
    if (!('fault' in list)) return list
    context.addIssue({
      code: 'custom',
      message: 'has an entry that is neither an address nor a network such as 10.0.0.0/8',
    })
    return z.NEVER
  })

const add = (list: BlockList, entry: string): boolean => {
  const [address = '', prefix, ...rest] = entry.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  const family = familyOf(address)
  if (prefix === undefined) {
    list.addAddress(address, family)
    return true
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 'ipv4' ? 32 : 128)) return false
  list.addSubnet(address, Number(prefix), family)
  return true
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')
