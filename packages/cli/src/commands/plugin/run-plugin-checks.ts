import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseJson } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type CommandIo, onStop } from '../../process/command-io.ts'
import { explainCrash } from '../../project/explain-crash.ts'
import { oracleCommand } from '../../project/oracle-command.ts'
import type { Project } from '../../project/project.ts'
import { type PluginReport, pluginReport } from './plugin-report.ts'

/**
 * Timeout without a message of the process, in milliseconds; a check that waits ends automatically after half of it.
 */
const silenceMs = 60_000
const maxErrors = 16_384

interface PluginSources {
  /** Files to check, relative to the project. */
  readonly asked: readonly string[]
  /** All files that may contain a plugin of the project. */
  readonly all: readonly string[]
}

/**
 * Checks plugins in a separate process, with the packages of the project, and yields its messages.
 *
 * @throws `project_failed` when the process exits before all checks are done, `interrupted` at Ctrl-C
 */
export async function* runPluginChecks(
  project: Project,
  { asked, all }: PluginSources,
  io: CommandIo,
): AsyncGenerator<PluginReport> {
  const script = createRequire(import.meta.url).resolve('@sibyl/cli/check-plugins')
  const { file, args, cwd, env } = await oracleCommand(project, io)
  const child = spawn(file, [...args.slice(0, -1), script, JSON.stringify(asked), JSON.stringify(all)], {
    cwd,
    env: { ...project.envFile, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, maxErrors)
  })
  const ended = once(child, 'close')
  let why: 'too long' | 'interrupted' | undefined
  const end = (reason: typeof why) => {
    why ??= reason
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => end('too long'), silenceMs)
  let last: Begun | undefined
  const release = onStop(io, () => end('interrupted'))
  try {
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const { success, data } = pluginReport.safeParse(parseJson(line))
      if (!success) continue
      if (data.kind === 'end') return
      timer.refresh()
      if (data.kind === 'begins') last = data
      else yield data
    }
    await ended
    throw explainEnd({ why, errors, last }, project)
  } finally {
    clearTimeout(timer)
    release()
    child.kill('SIGKILL')
  }
}

/** The check that was running when the process exited. */
type Begun = Extract<PluginReport, { kind: 'begins' }>

interface EarlyEnd {
  readonly why: 'too long' | 'interrupted' | undefined
  readonly errors: string
  readonly last: Begun | undefined
}

const explainEnd = ({ why, errors, last }: EarlyEnd, { folder }: Project): Error => {
  if (why === 'interrupted') return cliErrors.interrupted('Interrupted before all checks were done.', '')
  const step = last === undefined ? 'before the first' : `at ${last.file}, '${last.what}'`
  if (why === 'too long') {
    const message = `The checks made no progress for ${silenceMs / 1_000} s, ${step}.`
    return cliErrors.project_failed(message, 'Look for an operation there that never ends, and check again.')
  }
  const { reason, place, missingPackage } = explainCrash(errors, folder)
  const where = place === undefined ? `, ${step}` : `, in ${place}`
  const remedy = missingPackage === undefined ? 'Fix it, and check again.' : 'Install the packages of the project.'
  return cliErrors.project_failed(`The checks ended too early${where}: ${reason}`, remedy)
}
