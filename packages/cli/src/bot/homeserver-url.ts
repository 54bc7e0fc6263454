import { isIP } from 'node:net'
import { addressList } from '@sibyl/plugin'
import { cliErrors } from '../errors/cli-errors.ts'

/**
 * Parses the address of a homeserver, without a slash at its end. Only this computer and private networks may use plain
 * HTTP, because a password is sent there.
 *
 * @throws `usage_invalid` when it is not such an address
 */
export const homeserverUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const remedy = 'Set it to the address that Matrix clients use: https://matrix.example.org'
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw cliErrors.usage_invalid('The homeserver is not an HTTP address.', remedy)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw cliErrors.usage_invalid('The address of the homeserver has a user, a query or a fragment.', remedy)
  }
  if (url.protocol === 'http:' && !isNear(url.hostname)) {
    throw cliErrors.usage_invalid(`The password of the bot would be sent to ${url.host} over plain HTTP.`, remedy)
  }
  return url.href.replace(/\/+$/, '')
}

const privateNetworks = addressList.parse('127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1 fc00::/7')

/** Returns whether a host is this computer, in a private network, or a name without a dot, as containers have. */
const isNear = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return privateNetworks.has(host)
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host)
}
