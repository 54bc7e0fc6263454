import type { Random } from '../frame/random.ts'
import { type Form, forms } from './forms.ts'
import { corePaths, lockedPaths } from './paths.ts'

/** A request for a locked route, in other words. */
export interface SpelledRequest {
  readonly name: string
  readonly bytes: Buffer
  /** The GET request for a HEAD request, whose response can be compared. */
  readonly asGet?: Buffer
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY']
const oddMethods = [
  'get',
  'Get',
  'GET ',
  ' GET',
  'G\tET',
  'FOO',
  'GETT',
  'GE',
  'GET\0',
  'GET/vault',
  'PRI',
  'SEARCH',
  '',
]

/** Headers by which some servers let a caller name another path, method or person. */
const overrides = [
  'X-Original-URL: {path}',
  'X-Rewrite-URL: {path}',
  'X-Forwarded-Path: {path}',
  'X-Forwarded-Prefix: {path}',
  'X-HTTP-Method-Override: GET',
  'X-HTTP-Method: DELETE',
  'X-Method-Override: OPTIONS',
  'X-Forwarded-User: operator',
  'X-Real-IP: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1',
  'Connection: close, Authorization',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Origin: https://app.example.org\r\nAccess-Control-Request-Method: GET',
  'Authorization:',
  'Authorization: Bearer',
  'Authorization: Bearer null',
  'Authorization: Basic Og==',
  'Cookie: admin=true; authorization=Bearer x',
]

const hosts = [
  'oracle/open/x?',
  'oracle/open/',
  'oracle#',
  'oracle?',
  'x@oracle',
  'oracle\\open',
  '',
  ' ',
  '[::1',
  'a b',
]
const versions = ['HTTP/1.0', 'HTTP/1.1 ', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1x', '']
const groups = Object.keys(forms)

/** All single forms of all paths, without duplicates. */
const single: readonly { readonly name: string; readonly spelling: Form }[] = groups.flatMap(name =>
  forms[name]!.map((form, index) => ({ name: `${name} ${index + 1}`, spelling: form })),
)

/** Number of requests before forms are combined at random. */
export const singleCount = single.length * (lockedPaths.length + corePaths.length)

/**
 * Creates one request.
 *
 * @param index below `singleCount` one form of one path; from there on two of them and further oddities, at random
 */
export const makeRequest = (index: number, random: Random): SpelledRequest => {
  const paths = [...lockedPaths.map(({ path }) => ['GET', path] as const), ...corePaths]
  if (index < singleCount) {
    const [method, path] = paths[Math.floor(index / single.length)]!
    const { name, spelling } = single[index % single.length]!
    return write(name, method, spelling(path, random), 'HTTP/1.1', 'localhost', '')
  }
  const [own, path] = random.pick(paths)
  const [one, other] = [random.pick(single), random.pick(single)]
  const target = random.pick([path, one.spelling(path, random), other.spelling(one.spelling(path, random), random)])
  const method = random.pick([own, own, random.pick(methods), random.pick(oddMethods)])
  const version = random.integer(0, 9) === 0 ? random.pick(versions) : 'HTTP/1.1'
  const host = random.integer(0, 9) === 0 ? random.pick(hosts) : 'localhost'
  const override = random.integer(0, 2) === 0 ? random.pick(overrides).replaceAll('{path}', path) : ''
  const shown =
    override !== '' && random.integer(0, 1) === 0 ? random.pick(['/open/x', '/vault/open', '/', target]) : target
  return write(`${one.name}, ${other.name}`, method, shown, version, host, override)
}

const write = (
  name: string,
  method: string,
  target: string,
  version: string,
  host: string,
  header: string,
): SpelledRequest => {
  const lines = [
    `${method} ${target} ${version}`,
    `Host: ${host}`,
    ...(header === '' ? [] : [header]),
    ...(header.includes('Connection:') ? [] : ['Connection: close']),
    'Content-Type: application/json',
    'Content-Length: 2',
  ]
  const text = `${lines.join('\r\n')}\r\n\r\n{}`
  return {
    name: `${name}: ${JSON.stringify(lines.slice(0, 3).join(' | '))}`,
    bytes: Buffer.from(text),
    ...(method === 'HEAD' ? { asGet: Buffer.from(text.replace('HEAD', 'GET')) } : {}),
  }
}
