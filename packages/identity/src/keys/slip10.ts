import { createHmac } from 'node:crypto'

const HARDENED = 0x80000000

/**
 * Derives an Ed25519 secret from a seed by SLIP-0010. Ed25519 knows hardened steps alone.
 *
 * @param seed 16 to 64 bytes, such as a BIP-39 seed
 * @param path the index of each step, all hardened: `[44, 118, 0, 0]` is m/44'/118'/0'/0'
 * @returns the secret, 32 bytes
 */
export function deriveEd25519Secret(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const index of path) {
    const data = Buffer.alloc(37)
    data.set(node.subarray(0, 32), 1)
    data.writeUInt32BE(index + HARDENED, 33)
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  return Uint8Array.from(node.subarray(0, 32))
}
