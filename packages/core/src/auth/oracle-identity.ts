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

/**
 * Derives the signing key from the validated `ORACLE_MNEMONIC`; the mnemonic is not passed on.
 *
 * @returns undefined without a mnemonic, or with an invalid one
 */
export const loadSigningKey = async (mnemonic: string | undefined): Promise<SigningKey | undefined> => {
  const parsed = parseMnemonic(mnemonic ?? '')
  return parsed.ok ? signingKeyFromMnemonic(parsed.mnemonic) : undefined
}

/** Returns the did:web of a public URL: `https://a.example/x` becomes `did:web:a.example:x`. */
export const didWebOf = (publicUrl: string): string => {
  const url = new URL(publicUrl)
  const path = url.pathname.split('/').filter(segment => segment !== '')
  return ['did:web', url.host.replaceAll(':', '%3A'), ...path.map(encodeURIComponent)].join(':')
}

/** Returns the did:web of a URL that may change, computed again only then. */
export const currentDidWeb = (publicUrl: () => string): (() => string) => {
  let known: { readonly url: string; readonly did: string } | undefined
  return () => {
    const url = publicUrl()
    if (known?.url !== url) known = { url, did: didWebOf(url) }
    return known.did
  }
}

/** Dependencies of the identity of plugins. */
export interface HostIdentityParts {
  readonly key: SigningKey | undefined
  readonly publicDid: () => string
  readonly publicUrl: () => string
  readonly history: Pick<KeyHistory, 'list'>
  readonly delegations: Pick<DelegationStore, 'findProof'>
  readonly now: () => number
}

/** Creates the identity for plugins. */
export const hostIdentity = ({
  key,
  publicDid,
  publicUrl,
  history,
  delegations,
  now,
}: HostIdentityParts): Host['identity'] => {
  const signingKey = (): SigningKey => {
    if (!key) throw coreErrors.signing_key_missing()
    return key
  }
  return {
    did: key?.did,
    get url() {
      return publicUrl()
    },
    get publicDid() {
      return publicDid()
    },
    get verificationMethod() {
      return key && verificationMethodId(publicDid(), key.did)
    },
    keys: () => history.list(),
    document: async () =>
      oracleDocument({ publicDid: publicDid(), did: key?.did, keys: await history.list(), publicUrl: publicUrl() }),
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
