import { signingKeyFromMnemonic } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import { givenBotAccount, provisionBot } from '../bot/provision-bot.ts'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import { actsAsController, KeptLogins, loginAbilities } from '../home/kept-logins.ts'
import { shortenDid } from '../output/format.ts'
import type { CommandIo } from '../process/command-io.ts'
import { oldShellNode } from '../process/shell-node.ts'
import type { Controller } from '../registry/controller.ts'
import { findOracle } from '../registry/find-oracle.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { openRegistryNode } from '../registry/open-registry-node.ts'
import { registerOracle } from '../registry/oracle-entity.ts'
import type { RegistryNode } from '../registry/registry-node.ts'
import { tenantDatabase } from './answers/tenant-database.ts'
import { findPackages } from './packages/find-packages.ts'
import { renderSettings, renderSources } from './render-project.ts'
import type { ScaffoldEffects, SigningNeed } from './scaffold-effects.ts'

/**
 * Returns the effects of `sibyl new`.
 *
 * @param asks Whether questions are possible.
 */
export const realEffects = (io: CommandIo, asker: Asker, asks: boolean): ScaffoldEffects => ({
  findPackages: (answers, during) => findPackages(answers, io, during),
  developerDid: async () => (await openDeveloperKey(homeFolder(io.env))).key.did,
  openNode: ({ network, registryUrl, rpcUrl }) => openRegistryNode(network, io, { registryUrl, rpcUrl }),
  controllerFor: (need, node) => signFor(need, node, { io, asker, asks }),
  openRegistry,
  findOracle,
  async registerOracle({ answers, ...registration }) {
    const { profile, apiUrl } = answers
    return (await registerOracle({ ...registration, profile, apiUrl })).entity.did
  },
  provisionBot: async ({ answers, account, ...need }) => {
    const given = givenBotAccount(io)
    // The user of an unfinished run overrides the environment's.
    const user = account ? { account, registrationToken: given.registrationToken } : given
    return provisionBot({ ...need, ...user, oracleName: answers.profile.name })
  },
  renderSources: facts => renderSources({ ...facts, needsNode: oldShellNode(io.env) !== undefined }),
  renderSettings: facts => renderSettings({ ...facts, database: tenantDatabase(facts.answers.tenant, io.env) }),
})

/** The validity of a login by phone, in seconds. */
const loginSeconds = 12 * 3_600

interface SigningMeans {
  readonly io: CommandIo
  readonly asker: Asker
  /** Whether questions are possible. */
  readonly asks: boolean
}

/**
 * Finds the signer of a new oracle: its mnemonic, a phone with a valid login, or a phone that is asked now; its
 * signature is stored as a login. On a chain the phone authorizes the account of the oracle to register in its name:
 * the account signs the transaction and pays, and the DID of the phone is the controller.
 */
const signFor = async (
  { answers, mnemonic, expectedDid }: SigningNeed,
  node: RegistryNode,
  { io, asker, asks }: SigningMeans,
): Promise<Controller> => {
  const signer = await signingKeyFromMnemonic(mnemonic)
  if (answers.signing === 'mnemonic') return { did: signer.did, signer, proofs: [], mnemonic }
  const isChain = node.did === undefined
  const registry = node.did ?? `ixo:${node.network}`
  const abilities = isChain ? chainAbilities : loginAbilities
  const folder = homeFolder(io.env)
  const key = isChain ? signer : (await openDeveloperKey(folder)).key
  const account = isChain ? { mnemonic } : {}
  const logins = new KeptLogins(folder)
  const kept = await logins.find(registry, key.did, expectedDid)
  if (kept?.method === 'qr' && (isChain || actsAsController(kept))) {
    asker.note(
      [
        `Your phone (${shortenDid(kept.controller)}) has authorized this computer until ${kept.expiresAt.slice(0, 16).replace('T', ' ')} UTC.`,
      ],
      'Signed in',
    )
    return { did: kept.controller, signer: key, proofs: [kept.delegation], ...account }
  }
  asker.note([], 'Sign with your phone')
  const { requestSignature } = await import('../signing/request-signature.ts')
  const { did, delegation, expiresAt } = await requestSignature(
    {
      registry: { title: node.title, did: registry },
      audience: key.did,
      abilities,
      lifetimeSeconds: loginSeconds,
      about: answers.profile.name,
      ...(expectedDid === undefined ? {} : { expectedDid }),
    },
    io,
    asks ? asker : undefined,
  )
  await logins.keep({
    registry,
    url: node.url,
    title: node.title,
    controller: did,
    method: 'qr',
    audience: key.did,
    abilities: [...abilities],
    delegation,
    expiresAt: new Date(expiresAt * 1_000).toISOString(),
  })
  return { did, signer: key, proofs: [delegation], ...account }
}

/** The only abilities that a phone grants to an account that registers in its name. */
const chainAbilities = ['entities/*'] as const
