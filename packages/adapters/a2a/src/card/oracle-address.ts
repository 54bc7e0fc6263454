import type { HostIdentity } from '@sibyl/plugin'

/** Returns a function that returns the address of the oracle, as its DID document has it. */
export const createOracleAddress = (
  identity: Pick<HostIdentity, 'publicDid' | 'document'>,
): (() => Promise<string>) => {
  let known: { readonly did: string; readonly address: string } | undefined
  return async () => {
    if (known?.did === identity.publicDid) return known.address
    const { id, service = [] } = await identity.document()
    const [first] = service
    known = { did: id, address: String(first?.serviceEndpoint ?? '').replace(/\/+$/, '') }
    return known.address
  }
}
