import type { Asker } from '../ask/asker.ts'
import { givenBotAccount, provisionBot } from '../bot/provision-bot.ts'
import { openDeveloperKey } from '../home/developer-key.ts'
import { homeFolder } from '../home/home-folder.ts'
import type { CommandIo } from '../process/command-io.ts'
import { oldShellNode } from '../process/shell-node.ts'
import { findOracle } from '../registry/find-oracle.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { openRegistryNode } from '../registry/open-registry-node.ts'
import { registerOracle } from '../registry/oracle-entity.ts'
import { findPackages } from './packages/find-packages.ts'
import { renderSettings, renderSources } from './render-project.ts'
import type { ScaffoldEffects } from './scaffold-effects.ts'
import { signFor } from './sign-for.ts'

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
  renderSettings,
})
