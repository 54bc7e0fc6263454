import type { Asker } from '../ask/asker.ts'
import type { BotCredentials } from '../bot/bot-account.ts'
import type { Controller } from '../registry/controller.ts'
import type { OpenedRegistry, OpenRegistryOptions } from '../registry/opened-registry.ts'
import type { RegistryNode } from '../registry/registry-node.ts'
import type { PackageSource, ProjectFacts, ProjectFile } from './answers/project-facts.ts'
import type { ScaffoldAnswers } from './answers/scaffold-answers.ts'
import type { ScaffoldJournal } from './journal/scaffold-journal.ts'

export interface SigningNeed {
  readonly answers: ScaffoldAnswers
  readonly mnemonic: string
  /** The DID that signed before, where a run goes on. */
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
  /** Is told a new user at once. */
  readonly onRegistered: (user: BotUser) => Promise<void>
}

interface BotUser {
  readonly userId: string
  readonly password: string
}

/** Everything that making an oracle does beyond its folder; a test has its own. */
export interface ScaffoldEffects {
  findPackages(answers: ScaffoldAnswers, during: Asker['during']): Promise<PackageSource>
  developerDid(): Promise<string>
  openNode(answers: ScaffoldAnswers): Promise<RegistryNode>
  /** Finds out who signs, by the words or by having a phone sign. */
  controllerFor(need: SigningNeed, node: RegistryNode): Promise<Controller>
  openRegistry(node: RegistryNode, controller: Controller, options: OpenRegistryOptions): Promise<OpenedRegistry>
  /** Looks for the entity that an earlier run may have made. @returns its DID; undefined where there is none */
  findOracle(need: Pick<EntityNeed, 'opened' | 'oracleDid'>): Promise<string | undefined>
  /** @returns the entity's DID */
  registerOracle(need: EntityNeed): Promise<string>
  provisionBot(need: BotNeed): Promise<BotCredentials>
  renderProject(facts: ProjectFacts): Promise<readonly ProjectFile[]>
}

export interface ScaffoldMeans {
  /** How `sibyl new` was called, to be typed again: `npm create sibyl --`. */
  readonly called: string
  readonly effects: ScaffoldEffects
  readonly asker: Asker
  readonly journal: ScaffoldJournal
  /** Ends it; from the moment on at which the project is in its place, nothing does. */
  readonly signal: AbortSignal
}
