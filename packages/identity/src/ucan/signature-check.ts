import { verify } from 'node:crypto'
import type { PublicKeyCache } from './public-key-cache.ts'

/**
 * Creates a function that verifies the signature of one token with `@ucans/core`, with Ed25519 from node:crypto. The
 * library is loaded at the first call.
 *
 * @param keys the cache of public keys
 * @returns a function that returns whether an encoded token is signed by its issuer
 */
export function createSignatureCheck(keys: PublicKeyCache): (token: string) => Promise<boolean> {
  let library: ReturnType<typeof loadLibrary> | undefined
  return async token => {
    library ??= loadLibrary(keys)
    const { validate } = await library
    // Its errors quote the whole token: nothing of them goes further.
    return validate(token, { checkIssuer: false, checkIsExpired: false, checkIsTooEarly: false }).then(
      () => true,
      () => false,
    )
  }
}

async function loadLibrary(keys: PublicKeyCache) {
  const { getPluginInjectedApi, Plugins } = await import('@ucans/core')
  const ed25519 = {
    prefix: Uint8Array.of(0xed, 0x01),
    jwtAlg: 'EdDSA',
    async verifySignature(did: string, data: Uint8Array, signature: Uint8Array) {
      const key = keys.get(did)
      return key !== undefined && verify(null, data, key, signature)
    },
  }
  return getPluginInjectedApi(new Plugins([ed25519], {}))
}
