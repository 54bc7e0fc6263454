import { Point } from '@noble/ed25519'
import { didFromPublicKey } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'
import { forge, rightHeader, segment } from './forge.ts'
import type { Mutations } from './mutation.ts'

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n
const fieldPrime = 2n ** 255n - 19n

const littleEndian = (number: bigint): Buffer =>
  Buffer.from(number.toString(16).padStart(64, '0').slice(-64), 'hex').reverse()
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** All encodings of points of small order: five y coordinates, two of them unreduced as well, with either sign. */
const smallOrderPoints: readonly Buffer[] = [
  0n,
  1n,
  fieldPrime - 1n,
  numberOf(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
  numberOf(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')),
  fieldPrime,
  fieldPrime + 1n,
].flatMap(y => [littleEndian(y), littleEndian(y | (1n << 255n))])

/** A token of the cast, taken apart. */
const parts = (cast: Cast, random: Random) => {
  const { token, key, payload } = random.pick(cast.good)
  const [header, body, signature] = token.split('.') as [string, string, string]
  return { signed: `${header}.${body}`, signature: Buffer.from(signature, 'base64url'), key, payload }
}

const join = (signed: string, signature: Uint8Array): string =>
  `${signed}.${Buffer.from(signature).toString('base64url')}`

/** Mutations of signatures and of the keys that verify them. */
export const signatureMutations: Mutations = {
  addGroupOrder(cast, random) {
    const { signed, signature } = parts(cast, random)
    const scalar = numberOf(signature.subarray(32)) + groupOrder * BigInt(random.integer(1, 7))
    return join(signed, Buffer.concat([signature.subarray(0, 32), littleEndian(scalar)]))
  },
  flipSign(cast, random) {
    const { signed, signature } = parts(cast, random)
    signature[31] = signature[31]! ^ 0x80
    return join(signed, signature)
  },
  negate(cast, random) {
    const { signed, signature } = parts(cast, random)
    const scalar = groupOrder - numberOf(signature.subarray(32))
    return join(signed, Buffer.concat([signature.subarray(0, 32), littleEndian(scalar)]))
  },
  addTorsion(cast, random) {
    const { signed, signature } = parts(cast, random)
    const point = Point.fromBytes(signature.subarray(0, 32), true).add(Point.fromBytes(smallOrderPoints[4]!, true))
    return join(signed, Buffer.concat([point.toBytes(), signature.subarray(32)]))
  },
  special(cast, random) {
    const { signed } = parts(cast, random)
    const scalar = random.pick([0n, 1n, groupOrder, groupOrder - 1n, 2n ** 256n - 1n])
    const half = random.pick([Buffer.alloc(32), Buffer.alloc(32, 0xff), random.pick(smallOrderPoints)])
    return join(signed, Buffer.concat([half, littleEndian(scalar)]))
  },
  otherLength(cast, random) {
    const { signed, signature } = parts(cast, random)
    return join(
      signed,
      random.pick([
        signature.subarray(0, random.integer(0, 63)),
        Buffer.concat([signature, random.bytes(random.integer(1, 64))]),
        Buffer.concat([Buffer.alloc(1), signature]),
        Buffer.concat([signature, signature]),
      ]),
    )
  },
  reversed(cast, random) {
    const { signed, signature } = parts(cast, random)
    const halves = [signature.subarray(32), signature.subarray(0, 32)]
    return join(signed, random.pick([Buffer.concat(halves), Buffer.from(signature).reverse()]))
  },
  ofOtherBytes: async (cast, random) => {
    const { signed, key, payload } = parts(cast, random)
    const [header, body] = signed.split('.') as [string, string]
    const other = [header, body, `${header}${body}`, `${body}.${header}`, `${signed}.`, JSON.stringify(payload)]
    return join(signed, await key.sign(Buffer.from(random.pick(other))))
  },
  ofSomebodyElse: async (cast, random) => {
    const { signed } = parts(cast, random)
    return join(signed, await cast.keys.mallory.sign(Buffer.from(signed)))
  },
  inTheNameOfAnother: async (cast, random) => {
    const { payload } = random.pick(cast.good)
    return forge(cast.keys.mallory, { ...payload, nnc: Buffer.from(random.bytes(16)).toString('base64url') })
  },
  smallOrderIssuer(cast, random) {
    const { payload } = parts(cast, random)
    const iss = didFromPublicKey(random.pick(smallOrderPoints))
    const nnc = Buffer.from(random.bytes(16)).toString('base64url')
    const signed = `${segment(rightHeader)}.${segment({ ...payload, iss, nnc, prf: [] })}`
    return join(signed, Buffer.concat([random.pick(smallOrderPoints), Buffer.alloc(32)]))
  },
  smallOrderProof: async (cast, random) => {
    const { alice } = cast.keys
    const iss = didFromPublicKey(random.pick(smallOrderPoints))
    const att = [{ with: cast.resource, can: cast.ability }]
    const nnc = Buffer.from(random.bytes(16)).toString('base64url')
    const signed = `${segment(rightHeader)}.${segment({ iss, aud: alice.did, exp: cast.now + 300, nnc, att, prf: [] })}`
    const proof = join(signed, Buffer.concat([random.pick(smallOrderPoints), Buffer.alloc(32)]))
    return forge(alice, { ...cast.good[1]!.payload, prf: [proof] })
  },
}
