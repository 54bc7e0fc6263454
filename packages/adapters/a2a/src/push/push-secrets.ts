import { createHash } from 'node:crypto'
import type { Host } from '@sibyl/plugin'
import { createVault, SealBrokenError, type Vault } from '@sibyl/plugin/sealing'

/** Credentials that a receiver of push notifications expects in the header. */
export interface PushSecret {
  readonly token?: string
  readonly authorization?: string
}

/** A receiver, to which its credentials are bound: those of one do not open in another. */
export interface ReceiverId {
  readonly task: string
  readonly id: string
}

/** Creates the encryption. Ed25519 signatures are deterministic, and only the oracle can create the one behind the key. */
export const createPushSecrets = ({ sign }: Pick<Host['identity'], 'sign'>) => {
  let made: Vault | undefined
  const vault = async (): Promise<Vault> => {
    if (made) return made
    const signature = await sign(new TextEncoder().encode('sibyl: the key of receivers of A2A push notifications'))
    made = createVault({ current: createHash('sha256').update(signature).digest() })
    return made
  }
  return {
    /** Throws `signing_key_missing`. */
    async seal(secret: PushSecret, receiver: ReceiverId): Promise<string | null> {
      if (secret.token === undefined && secret.authorization === undefined) return null
      return (await vault()).seal(JSON.stringify(secret), placeOf(receiver))
    },
    /** Returns undefined where the oracle has another key now. */
    async open(sealed: string | null, receiver: ReceiverId): Promise<PushSecret | undefined> {
      if (sealed === null) return {}
      try {
        return JSON.parse((await vault()).open(sealed, placeOf(receiver))) as PushSecret
      } catch (error) {
        if (error instanceof SealBrokenError) return undefined
        throw error
      }
    },
  }
}

/** Encrypts what receivers expect, under a key that is derived from the oracle's and is not stored. */
export type PushSecrets = ReturnType<typeof createPushSecrets>

const placeOf = ({ task, id }: ReceiverId): string => `a2a_push_targets.secret:${JSON.stringify([task, id])}`
