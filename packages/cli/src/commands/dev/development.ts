import { CommandError } from '../../errors/command-error.ts'
import type { CommandIo, OutputStream } from '../../process/command-io.ts'
import { openProject } from '../../project/open-project.ts'
import { oracleCommand } from '../../project/oracle-command.ts'
import type { DevView } from './dev-view.ts'
import { type OracleRun, type RunEnd, startRun } from './oracle-run.ts'
import type { Changes, ProjectWatcher } from './project-watcher.ts'

/**
 * Time that an oracle has to stop, in seconds, unless the environment sets it; running answers get all but the last 5.
 */
const usualGraceSeconds = 7
/** Additional time in milliseconds before it is killed. */
const patienceMs = 2_000
/** A reload that takes longer is reported before it ends, in milliseconds. */
const reportAfterMs = 1_000

/** Number of consecutive starts interrupted by the same file after which the user is warned. */
const maxShortStarts = 4

interface DevelopmentParts {
  /** Its `cwd` is the folder of the project. */
  readonly io: CommandIo
  readonly watcher: ProjectWatcher
  readonly view: DevView
  readonly output: OutputStream
  readonly port: number | undefined
}

type Happening = 'asked' | 'changed' | { readonly url: string } | { readonly end: RunEnd }

/** Runs an oracle repeatedly, never two at once: they share a port and a database. */
export class Development {
  readonly #parts: DevelopmentParts
  #run: OracleRun | undefined
  #graceMs = usualGraceSeconds * 1_000
  /** The changes that caused the run, until it responds or exits; undefined at the first start. */
  #changes: Changes | undefined
  #hasAnswered = false
  /** Consecutive starts that were interrupted by the same files. */
  #shortStarts = 0

  constructor(parts: DevelopmentParts) {
    this.#parts = parts
  }

  /** Runs the oracle, again after every change, until the promise resolves. */
  async run(asked: Promise<void>): Promise<void> {
    const { watcher } = this.#parts
    for (;;) {
      await this.#start()
      const next = await this.#watch(asked)
      await this.#run?.stop(this.#graceMs + patienceMs)
      this.#run = undefined
      if (next === 'asked') return
      const { files, since } = watcher.drain()
      const before = this.#changes
      this.#changes = {
        files: [...new Set([...(before?.files ?? []), ...files])],
        since: before?.since ?? since,
      }
      this.#count(files, before)
    }
  }

  /** Reports files that change at every start before the oracle responds: the oracle may write them. */
  #count(files: readonly string[], before: Changes | undefined): void {
    const isOneMore = before !== undefined && files.every(file => before.files.includes(file))
    this.#shortStarts = isOneMore ? this.#shortStarts + 1 : 0
    if (this.#shortStarts === maxShortStarts) this.#parts.view.restless(files)
  }

  kill(): void {
    this.#run?.kill()
  }

  async #start(): Promise<void> {
    const { io, view, output, port } = this.#parts
    try {
      const project = await openProject(io)
      const command = await oracleCommand(project, io)
      const grace = io.env.SHUTDOWN_GRACE_SECONDS ?? shortened(project.setting('SHUTDOWN_GRACE_SECONDS'))
      this.#graceMs = (Number(grace) || 0) * 1_000
      const env = {
        ...command.env,
        SHUTDOWN_GRACE_SECONDS: grace,
        ...(port === undefined ? {} : { PORT: String(port) }),
        ...(this.#hasAnswered ? { SIBYL_DEV_RELOAD: 'on' } : {}),
      }
      this.#run = startRun({ ...command, env }, { stdout: output, stderr: io.stderr })
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      this.#changes = undefined
      view.refused(error.message, error.remedy)
    }
  }

  /** Reports the events of the run until it has to stop. */
  async #watch(asked: Promise<void>): Promise<'asked' | 'changed'> {
    const { watcher, view, io } = this.#parts
    let isWaiting = this.#run !== undefined
    const timer = setTimeout(() => this.#changes && view.reloading(this.#changes.files), reportAfterMs)
    try {
      for (;;) {
        const happening = await Promise.race<Happening>([
          asked.then(() => 'asked'),
          watcher.changed().then(() => 'changed'),
          ...(this.#run ? [this.#run.ended.then(end => ({ end }))] : []),
          ...(this.#run && isWaiting ? [this.#run.listening.then(url => ({ url }))] : []),
        ])
        if (typeof happening === 'string') return happening
        clearTimeout(timer)
        if ('url' in happening) {
          if (this.#changes) view.reloaded(this.#changes.files, io.now() - this.#changes.since, happening.url)
          else view.started(happening.url)
          this.#hasAnswered = true
        } else {
          view.ended(happening.end, !isWaiting)
          this.#run = undefined
        }
        isWaiting = false
        this.#changes = undefined
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Returns a shorter time to stop: the value of `.env` for production is too long for every save. */
const shortened = (setting: string | undefined): string =>
  setting !== undefined && !(Number(setting) > usualGraceSeconds) ? setting : String(usualGraceSeconds)
