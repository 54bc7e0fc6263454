import { parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import type { CommandIo } from '../command-io.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import { KeptLogins } from '../home/kept-logins.ts'
import { actsAsController, loginAbilities } from '../home/login-abilities.ts'
import { shortenDid } from '../output/format.ts'
import type { Controller } from '../registry/controller.ts'
import type { RegistryNode } from '../registry/registry-node.ts'
import type { SigningNeed } from './scaffold-effects.ts'

/** How long a phone lets this computer act, in seconds. */
const loginSeconds = 12 * 3_600

/** What having a phone sign needs. */
export interface SigningMeans {
  readonly io: CommandIo
  readonly asker: Asker
  /** Whether somebody is there to be asked. */
  readonly asks: boolean
}

/**
 * Finds out who signs for a new oracle: the oracle's words, a phone that has let this computer in, or a phone that is asked
 * to now; what it signs is kept as a login.
 *
 * @throws CommandError
 */
export const signFor = async (
  { answers, mnemonic, expectedDid }: SigningNeed,
  node: RegistryNode,
  { io, asker, asks }: SigningMeans,
): Promise<Controller> => {
  if (answers.signing === 'mnemonic' || node.did === undefined) return signWithWords(mnemonic)
  const folder = homeFolder(io.env)
  const { key } = await openDeveloperKey(folder)
  const logins = new KeptLogins(folder)
  const kept = await logins.find(node.did, key.did, expectedDid)
  if (kept?.method === 'qr' && actsAsController(kept)) {
    asker.note(
      [
        `Your phone (${shortenDid(kept.controller)}) has let this computer in until ${kept.expiresAt.slice(0, 16).replace('T', ' ')} UTC.`,
      ],
      'Signed in',
    )
    return { did: kept.controller, signer: key, proofs: [kept.delegation] }
  }
  asker.note([], 'Sign with your phone')
  const { requestSignature } = await import('../signing/request-signature.ts')
  const { did, delegation, expiresAt } = await requestSignature(
    {
      registry: { title: node.title, did: node.did },
      audience: key.did,
      abilities: loginAbilities,
      lifetimeSeconds: loginSeconds,
      about: answers.profile.name,
      ...(expectedDid === undefined ? {} : { expectedDid }),
    },
    io,
    asks ? asker : undefined,
  )
  await logins.keep({
    registry: node.did,
    url: node.url,
    title: node.title,
    controller: did,
    method: 'qr',
    audience: key.did,
    abilities: [...loginAbilities],
    delegation,
    expiresAt: new Date(expiresAt * 1_000).toISOString(),
  })
  return { did, signer: key, proofs: [delegation] }
}

const signWithWords = async (text: string): Promise<Controller> => {
  const parsed = parseMnemonic(text)
  if (!parsed.ok)
    throw new ConfigurationError(`The oracle's words are no mnemonic. ${parsed.message}`, 'Begin again: --fresh')
  const signer = await signingKeyFromMnemonic(parsed.mnemonic)
  return { did: signer.did, signer, proofs: [], mnemonic: parsed.mnemonic }
}
