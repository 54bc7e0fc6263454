import { createHash, randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { cliErrors } from '../../errors/cli-errors.ts'
import { ignoreMissing } from '../../errors/code-of.ts'
import { homeFolder, openHomeFolder } from '../../home/home-folder.ts'
import { parseJson } from '../../home/parse-json.ts'
import { replaceFile } from '../../home/through-draft.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import { readProjectFile } from '../../project/read-project-file.ts'
import { signingMethods } from '../../registry/controller.ts'
import { networks } from '../../registry/registry-node.ts'
import { type ScaffoldAnswers, templateNames } from '../answers/scaffold-answers.ts'

/** A line as it was asked for, which no hand has changed into something that a terminal obeys. */
const line = z.string().refine(text => text === cleanLine(text))

const answers = z.strictObject({
  folder: z.string(),
  template: z.enum(templateNames),
  signing: z.enum(signingMethods),
  network: z.enum(networks),
  profile: z.strictObject({ name: line, description: line, price: line, model: line }),
  registryUrl: z.url().optional(),
  rpcUrl: z.url().optional(),
  apiUrl: z.url(),
  port: z.int().min(1).max(65_535),
  matrixBaseUrl: z.url().optional(),
  packageManager: z.enum(packageManagers),
  register: z.boolean(),
  git: z.boolean(),
})

const journal = z.strictObject({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  answers,
  mnemonic: z.string(),
  /** Makes the registration one, however often it is sent. */
  idempotencyKey: z.string(),
  /** The registry that it was begun at. */
  registry: z.strictObject({ title: z.string(), url: z.string(), startedHere: z.boolean() }).optional(),
  /** Who registers it. */
  controllerDid: z.string().optional(),
  entityDid: z.string().optional(),
  /** The bot's user, as soon as there is one. */
  botAccount: z.strictObject({ baseUrl: z.string(), userId: z.string(), password: z.string() }).optional(),
  bot: z
    .strictObject({
      baseUrl: z.string(),
      userId: z.string(),
      password: z.string(),
      accessToken: z.string(),
      accountRoomId: z.string(),
    })
    .optional(),
})

/** What a run of `sibyl new` has done outside of this computer, so that the next one goes on where it stopped. */
export type ScaffoldRecord = z.infer<typeof journal>

/** Begins a record: nothing is done yet. */
export const beginRecord = (scaffoldAnswers: ScaffoldAnswers, mnemonic: string): ScaffoldRecord => ({
  version: 1,
  startedAt: new Date().toISOString(),
  answers: { ...scaffoldAnswers },
  mnemonic,
  idempotencyKey: `sibyl-new-${randomBytes(16).toString('hex')}`,
})

/**
 * The record of the run for one folder, in `unfinished/` of the person's home for its owner alone: written before the
 * first effect outside, gone when the project is there.
 */
export class ScaffoldJournal {
  readonly path: string
  readonly #folder: string

  /** @param target The project's folder, absolute. */
  constructor(target: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = unfinishedFolder(env)
    this.path = join(this.#folder, `${nameOf(target)}.json`)
  }

  /** The record of a run that did not come to its end. Throws `configuration_invalid` when it is damaged. */
  async read(): Promise<ScaffoldRecord | undefined> {
    // One that cannot be read, or is far too long, is damaged as well.
    const text = await readProjectFile(this.path).catch(() => '')
    if (text === undefined) return undefined
    const parsed = journal.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    const remedy = 'Start over: --fresh. If the oracle was already registered, its entity stays registered.'
    throw cliErrors.configuration_invalid(
      `The record of the unfinished run for this folder, ${this.path}, is damaged.`,
      remedy,
    )
  }

  async write(record: ScaffoldRecord): Promise<void> {
    await openHomeFolder(this.#folder)
    await replaceFile(this.path, `${JSON.stringify(record, null, 2)}\n`)
  }

  async forget(): Promise<void> {
    await rm(this.path, { force: true })
  }

  /**
   * Forgets it, but for the words of an account on a chain, which people may have sent funds to.
   *
   * @returns where they are; undefined where nothing is kept
   */
  async setAside(): Promise<string | undefined> {
    const text = await readFile(this.path, 'utf8').catch(ignoreMissing)
    const record = text === undefined ? undefined : journal.safeParse(parseJson(text)).data
    if (text === undefined || record?.answers.network === 'devnet') {
      await this.forget()
      return undefined
    }
    const kept = this.path.replace(/\.json$/, `.forgotten-${Date.now()}.json`)
    await rename(this.path, kept)
    return kept
  }
}

/** Returns where the records of unfinished runs are. */
export const unfinishedFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  join(homeFolder(env), 'unfinished')

/** Returns the name under which a target's record is kept. */
export const nameOf = (target: string): string => createHash('sha256').update(target).digest('hex').slice(0, 32)

/** What was done so far; each step is on disk before the next one. */
export class Progress {
  readonly #journal: ScaffoldJournal
  #record: ScaffoldRecord
  #begun: boolean

  constructor(journal: ScaffoldJournal, record: ScaffoldRecord, earlier: ScaffoldRecord | undefined) {
    this.#journal = journal
    this.#record = record
    this.#begun = earlier !== undefined
  }

  get record(): ScaffoldRecord {
    return this.#record
  }

  /** Whether something may have been done outside of this computer. */
  get begun(): boolean {
    return this.#begun
  }

  /** Notes what is about to be done, or is done. */
  async note(facts: Partial<ScaffoldRecord> = {}): Promise<void> {
    this.#record = { ...this.#record, ...facts }
    await this.#journal.write(this.#record)
    this.#begun = true
  }

  /** Nothing was done after all. */
  async takeBack(): Promise<void> {
    await this.#journal.forget()
    this.#begun = false
  }
}
