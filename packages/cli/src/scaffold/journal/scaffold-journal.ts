import { createHash, randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { botCredentials } from '../../bot/bot-account.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { ignoreMissing } from '../../errors/code-of.ts'
import { homeFolder, openHomeFolder } from '../../home/home-folder.ts'
import { replaceFile } from '../../home/through-draft.ts'
import { readProjectFile } from '../../project/read-project-file.ts'
import { type ScaffoldAnswers, scaffoldAnswers } from '../answers/scaffold-answers.ts'

const journal = z.strictObject({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  answers: scaffoldAnswers,
  mnemonic: z.string(),
  /** Makes repeated registrations one. */
  idempotencyKey: z.string(),
  /** The registry of the registration. */
  registry: z.strictObject({ title: z.string(), url: z.string(), startedHere: z.boolean() }).optional(),
  /** The DID that registers it. */
  controllerDid: z.string().optional(),
  entityDid: z.string().optional(),
  /** The user of the bot, once it exists. */
  botAccount: botCredentials.pick({ baseUrl: true, userId: true, password: true }).optional(),
  bot: botCredentials.optional(),
})

/** The external effects of a run of `sibyl new`, so that the next one can continue. */
export type ScaffoldRecord = z.infer<typeof journal>

/** Starts a record without effects. */
export const beginRecord = (answers: ScaffoldAnswers, mnemonic: string): ScaffoldRecord => ({
  version: 1,
  startedAt: new Date().toISOString(),
  answers: { ...answers },
  mnemonic,
  idempotencyKey: `sibyl-new-${randomBytes(16).toString('hex')}`,
})

/**
 * The record of the run for one folder, in `unfinished/` of the home folder for its owner alone: written before the
 * first external effect, removed when the project is placed.
 */
export class ScaffoldJournal {
  readonly path: string
  readonly #folder: string

  /** @param target The folder of the project, absolute. */
  constructor(target: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = unfinishedFolder(env)
    this.path = join(this.#folder, `${nameOf(target)}.json`)
  }

  /** Reads the record of an unfinished run. Throws `configuration_invalid` when it is damaged. */
  async read(): Promise<ScaffoldRecord | undefined> {
    // An unreadable or oversized one is damaged as well.
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
   * Removes it, except for the mnemonic of an account on a chain, which may have received funds.
   *
   * @returns the path of the mnemonic; undefined if nothing is kept
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

/** Returns the folder of the records of unfinished runs. */
export const unfinishedFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  join(homeFolder(env), 'unfinished')

/** Returns the name of the record of a target. */
export const nameOf = (target: string): string => createHash('sha256').update(target).digest('hex').slice(0, 32)

/** The progress of a run; each step is on disk before the next one. */
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

  /** Whether there may be external effects. */
  get begun(): boolean {
    return this.#begun
  }

  /** Records a step before or after it is done. */
  async note(facts: Partial<ScaffoldRecord> = {}): Promise<void> {
    this.#record = { ...this.#record, ...facts }
    await this.#journal.write(this.#record)
    this.#begun = true
  }

  /** Removes the record, because there were no effects. */
  async discard(): Promise<void> {
    await this.#journal.forget()
    this.#begun = false
  }
}
