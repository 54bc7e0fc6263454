import type { Mnemonic } from '@sibyl/identity'
import type { Asker } from '../ask/asker.ts'
import type { BotCredentials } from '../bot/bot-account.ts'
import type { Controller } from '../registry/controller.ts'
import type { OpenedRegistry, OpenRegistryOptions } from '../registry/opened-registry.ts'
import type { RegistryNode } from '../registry/registry-node.ts'
import type { PackageSource, ProjectFile, SettingsFacts, SourceFacts } from './answers/project-facts.ts'
import type { ScaffoldAnswers } from './answers/scaffold-answers.ts'
import type { ScaffoldJournal } from './journal/scaffold-journal.ts'

export interface SigningNeed {
  readonly answers: ScaffoldAnswers
  readonly mnemonic: Mnemonic
  /** The DID that signed the earlier run that is continued. */
  readonly expectedDid: string | undefined
}

export interface EntityNeed {
  readonly answers: ScaffoldAnswers
  readonly opened: OpenedRegistry
  readonly oracleDid: string
  readonly idempotencyKey: string
}

interface BotNeed {
  readonly answers: ScaffoldAnswers
  readonly baseUrl: string
  /** The user that an earlier run registered. */
  readonly account: BotUser | undefined
  readonly signal: AbortSignal
  /** Called with a new user at once. */
  readonly onRegistered: (user: BotUser) => Promise<void>
}

interface BotUser {
  readonly userId: string
  readonly password: string
}

/** The external effects of creating an oracle; tests replace them. */
export interface ScaffoldEffects {
  findPackages(answers: ScaffoldAnswers, during: Asker['during']): Promise<PackageSource>
  developerDid(): Promise<string>
  openNode(answers: ScaffoldAnswers): Promise<RegistryNode>
  /** Finds the controller, by the mnemonic or by a signature of a phone. */
  controllerFor(need: SigningNeed, node: RegistryNode): Promise<Controller>
  openRegistry(node: RegistryNode, controller: Controller, options: OpenRegistryOptions): Promise<OpenedRegistry>
  /** Finds the entity that an earlier run may have created. @returns its DID; undefined if it does not exist */
  findOracle(need: Pick<EntityNeed, 'opened' | 'oracleDid'>): Promise<string | undefined>
  /** @returns the DID of the entity */
  registerOracle(need: EntityNeed): Promise<string>
  provisionBot(need: BotNeed): Promise<BotCredentials>
  renderSources(facts: SourceFacts): Promise<readonly ProjectFile[]>
  renderSettings(facts: SettingsFacts): readonly ProjectFile[]
}

export interface ScaffoldMeans {
  /** The command of `sibyl new`: `npm create sibyl --`. */
  readonly called: string
  readonly effects: ScaffoldEffects
  readonly asker: Asker
  readonly journal: ScaffoldJournal
  /** Cancels the run, until the project is in its place. */
  readonly signal: AbortSignal
}
