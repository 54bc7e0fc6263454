import { expect, it } from 'vitest'
import { toBase58 } from '../encoding/base58.ts'
import { didFromPublicKey, publicKeyFromDid } from './did-key.ts'

// From the did:key specification, with the key as its JWK gives it.
const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const publicKey = Buffer.from('O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik', 'base64url')

it('names a key by its did:key and finds the key in it', () => {
  expect(didFromPublicKey(publicKey)).toBe(did)
  expect(Buffer.from(publicKeyFromDid(did) ?? [])).toEqual(publicKey)
})

it('throws public_key_invalid for bytes that are not a key', () => {
  expect(() => didFromPublicKey(new Uint8Array(33))).toThrow(expect.objectContaining({ code: 'public_key_invalid' }))
})

it.each([
  ['another method', 'did:web:example.org'],
  ['another multibase', did.replace('key:z', 'key:f')],
  ['another curve (secp256k1)', `did:key:z${toBase58(Uint8Array.of(0xe7, 0x01, ...publicKey))}`],
  ['a byte too few', `did:key:z${toBase58(Uint8Array.of(0xed, 0x01, ...publicKey.subarray(1)))}`],
  ['a byte too many', `did:key:z${toBase58(Uint8Array.of(0xed, 0x01, ...publicKey, 0))}`],
  ['a leading zero', did.replace('key:z', 'key:z1')],
  ['a fragment', `${did}#${did.slice(8)}`],
  ['upper case', did.replace('did:', 'DID:')],
  ['megabytes', `did:key:z${'6'.repeat(5_000_000)}`],
  ['nothing', ''],
])('finds no key in %s', (_, text) => {
  expect(publicKeyFromDid(text)).toBeUndefined()
})

it.each([
  ['the neutral element', '0100000000000000000000000000000000000000000000000000000000000000'],
  ['the neutral element with a sign', '0100000000000000000000000000000000000000000000000000000000000080'],
  ['order 2', 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['order 4', '0000000000000000000000000000000000000000000000000000000000000000'],
  ['order 4, the other', '0000000000000000000000000000000000000000000000000000000000000080'],
  ['order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ['order 8, another', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
  ['the neutral element, not reduced', 'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
  ['order 4, not reduced', 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'],
])('rejects a point of small order, for which any caller can sign: %s', (_, hex) => {
  expect(publicKeyFromDid(didFromPublicKey(Buffer.from(hex, 'hex')))).toBeUndefined()
})
