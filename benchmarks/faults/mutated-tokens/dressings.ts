import { hashes, Point } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import type { SigningKey } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'

/** Writes the headers of a request that carries a token, which was spent before, in another way. */
export type Dressing = (token: string, cast: Cast, random: Random) => string | Promise<string>

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

const littleEndian = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()

/**
 * Another signature of the same bytes by the same key, as good as the first: Ed25519 with a random nonce in place of the
 * one that follows from the message.
 */
const signAgain = (key: SigningKey, message: Uint8Array, random: Random): Buffer => {
  hashes.sha512 ??= sha512
  const seed = sha512(key.exportSecret()).slice(0, 32)
  seed[0] = seed[0]! & 0xf8
  seed[31] = (seed[31]! & 0x7f) | 0x40
  const nonce = (numberOf(random.bytes(32)) % (groupOrder - 1n)) + 1n
  const point = Buffer.from(Point.BASE.multiply(nonce).toBytes())
  const challenge = numberOf(sha512(Buffer.concat([point, key.publicKey, message]))) % groupOrder
  const scalar = (nonce + challenge * (numberOf(seed) % groupOrder)) % groupOrder
  return Buffer.concat([point, littleEndian(scalar)])
}

/** Every way to show a token again; none may be let through. */
export const dressings: Readonly<Record<string, Dressing>> = {
  asItIs: token => `Authorization: Bearer ${token}\r\n`,
  lowerCase: token => `authorization: bearer ${token}\r\n`,
  upperCase: token => `AUTHORIZATION: BEARER ${token}\r\n`,
  spaces: (token, _cast, random) =>
    `Authorization:${' '.repeat(random.integer(0, 9))}Bearer ${token}${' \t'.repeat(random.integer(0, 9))}\r\n`,
  twoSpaces: token => `Authorization: Bearer  ${token}\r\n`,
  tab: token => `Authorization: Bearer\t${token}\r\n`,
  twice: token => `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`,
  afterAnother: token => `Authorization: Basic eDp5\r\nAuthorization: Bearer ${token}\r\n`,
  listed: token => `Authorization: Bearer x, Bearer ${token}\r\n`,
  quoted: token => `Authorization: Bearer "${token}"\r\n`,
  parameter: token => `Authorization: Bearer token=${token}\r\n`,
  basic: token => `Authorization: Basic ${Buffer.from(`x:${token}`).toString('base64')}\r\n`,
  proxy: token => `Proxy-Authorization: Bearer ${token}\r\n`,
  forwarded: token => `X-Forwarded-Authorization: Bearer ${token}\r\nX-Authorization: Bearer ${token}\r\n`,
  cookie: token => `Cookie: authorization=Bearer ${token}; token=${token}\r\n`,
  folded: token => `Authorization: Bearer\r\n ${token}\r\n`,
  underscore: token => `Authori_zation: Bearer ${token}\r\nHTTP_AUTHORIZATION: Bearer ${token}\r\n`,
  padded: token => `Authorization: Bearer ${token}=\r\n`,
  withoutSignature: token => `Authorization: Bearer ${token.slice(0, token.lastIndexOf('.'))}\r\n`,
  signedAgain: (token, { good }, random) => {
    const { key } = good.find(one => one.token === token)!
    const signed = token.slice(0, token.lastIndexOf('.'))
    return `Authorization: Bearer ${signed}.${signAgain(key, Buffer.from(signed), random).toString('base64url')}\r\n`
  },
}
