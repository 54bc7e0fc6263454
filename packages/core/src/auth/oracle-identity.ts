import {
  derivePairwiseKey,
  impersonationAbility,
  mintInvocation,
  parseMnemonic,
  type SigningKey,
  signingKeyFromMnemonic,
} from '@sibyl/identity'
import { type Host, verificationMethodId } from '@sibyl/plugin'
import type { KeyHistory } from '../did/key-history.ts'
import { oracleDocument } from '../did/oracle-document.ts'
import { coreErrors } from '../errors/core-errors.ts'
import type { DelegationStore } from './delegation-store.ts'
import type { OracleAddress } from './oracle-address.ts'

/**
 * Derives the signing key from the validated `ORACLE_MNEMONIC`; the mnemonic is not passed on.
 *
 * @returns undefined without a mnemonic, or with an invalid one
 */
export const loadSigningKey = async (mnemonic: string | undefined): Promise<SigningKey | undefined> => {
  const parsed = parseMnemonic(mnemonic ?? '')
  return parsed.ok ? signingKeyFromMnemonic(parsed.mnemonic) : undefined
}

/** Dependencies of the identity of plugins. */
export interface HostIdentityParts {
  readonly key: SigningKey | undefined
  readonly address: OracleAddress
  readonly history: Pick<KeyHistory, 'list'>
  readonly delegations: Pick<DelegationStore, 'findProof'>
  readonly now: () => number
}

/** Creates the identity for plugins. */
export const hostIdentity = ({ key, address, history, delegations, now }: HostIdentityParts): Host['identity'] => {
  const signingKey = (): SigningKey => {
    if (!key) throw coreErrors.signing_key_missing()
    return key
  }
  return {
    did: key?.did,
    get url() {
      return address.url
    },
    get publicDid() {
      return address.did
    },
    get verificationMethod() {
      return key && verificationMethodId(address.did, key.did)
    },
    keys: () => history.list(),
    document: async () =>
      oracleDocument({ publicDid: address.did, did: key?.did, keys: await history.list(), publicUrl: address.url }),
    sign: async bytes => signingKey().sign(bytes),
    async mintInvocation({ audience, resource, abilities, proofs = [], onBehalfOf, lifetimeSeconds = 60 }) {
      const request = { key: signingKey(), audience, resource, abilities, now }
      if (!onBehalfOf) return mintInvocation({ ...request, proofs, lifetimeSeconds })
      const { did } = onBehalfOf
      const needed = resource.startsWith('oracle:') ? [...abilities, impersonationAbility] : abilities
      const proof = await delegations.findProof({ did, resource, abilities: needed, now: now() })
      const secondsLeft = Math.floor(((proof?.expiresAt ?? 0) - now()) / 1000)
      if (!proof || secondsLeft < 1) throw delegationMissing(did, resource, needed)
      return mintInvocation({
        ...request,
        abilities: [...new Set(proof.asRoot ? [...abilities, impersonationAbility] : abilities)],
        proofs: [proof.token, ...proofs],
        lifetimeSeconds: Math.min(lifetimeSeconds, secondsLeft),
      })
    },
    pairwiseDid: (channel, subject) => derivePairwiseKey(signingKey(), channel, subject).did,
  }
}

const delegationMissing = (did: string, resource: string, abilities: readonly string[]) =>
  coreErrors.delegation_missing({ did, resource, needed: abilities.join(' ') }, { facts: { did, resource, abilities } })
