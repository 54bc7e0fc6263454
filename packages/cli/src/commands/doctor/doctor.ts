import { timeErrors, withTimeout } from '@sibyl/plugin'
import { untilInterrupted } from '../../ask/until-interrupted.ts'
import { showWork } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { CommandError } from '../../errors/command-error.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { wrapWords } from '../../output/display-width.ts'
import { formatCount } from '../../output/format.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, type Styles, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import { findProject, type Project } from '../../project/project.ts'
import { checkAddress } from './checks/address-check.ts'
import { checkDatabase } from './checks/database-check.ts'
import { type DoctorContext, makeContext } from './checks/doctor-context.ts'
import { checkFiles } from './checks/files-check.ts'
import { type Finding, findingGroups, findingsOf } from './checks/finding.ts'
import { checkIdentity } from './checks/identity-check.ts'
import { checkMatrix } from './checks/matrix-check.ts'
import { checkMcp, checkMcpFile } from './checks/mcp-check.ts'
import { checkModel } from './checks/model-check.ts'
import { checkClock, checkDisk, checkNode } from './checks/node-check.ts'
import { checkPlugins } from './checks/plugins-check.ts'
import { checkProduction } from './checks/production-check.ts'
import { checkRegistry } from './checks/registry-check.ts'
import { checkVersions } from './checks/versions-check.ts'
import type { DoctorOptions } from './doctor-command.ts'

/** Timeout of a check, in milliseconds; longer than the inspection, which some checks wait for. */
const checkLimitMs = 45_000

/** The checks, which run concurrently; the clock is checked after the others. */
const checks: Readonly<Record<string, (context: DoctorContext) => Promise<Finding[]>>> = {
  node: checkNode,
  versions: checkVersions,
  disk: checkDisk,
  files: checkFiles,
  plugins: checkPlugins,
  identity: checkIdentity,
  registry: checkRegistry,
  address: checkAddress,
  database: checkDatabase,
  model: checkModel,
  matrix: checkMatrix,
  mcp: checkMcp,
  'mcp.json': checkMcpFile,
  production: checkProduction,
}

/**
 * Runs `sibyl doctor`: checks everything that an oracle needs, changes nothing, and reports each problem with a fix.
 *
 * @returns 1 if a check fails
 * @throws `interrupted` at Ctrl-C
 */
export const doctor = async ({ online = false, json = false }: DoctorOptions, io: CommandIo): Promise<ExitCode> => {
  const { project, findings } = await untilInterrupted(io, signal => examine(online, io, signal))
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length
  const [ok, warn, fail] = [count('ok'), count('warn'), count('fail')]
  if (json) writeJson(io, { healthy: fail === 0, ok, warn, fail, project: project?.folder ?? null, findings })
  else io.stdout.write(`${findingLines(findings, project, io).join('\n')}\n`)
  return fail === 0 ? exitCode.done : exitCode.failed
}

interface Examination {
  readonly project: Project | undefined
  readonly findings: readonly Finding[]
}

const examine = async (online: boolean, io: CommandIo, signal: AbortSignal): Promise<Examination> => {
  const opened = await open(io)
  const inspected = opened.project ? inspect(opened.project, io) : Promise.resolve({ findings: [] })
  const inspection = inspected.then(it => ('inspection' in it ? it.inspection : undefined))
  const context = makeContext({ io, project: opened.project, inspection, online }, signal)
  const waiting = new Set(Object.keys(checks))
  const done = showProgress(waiting, io)
  try {
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const findings = await settled(name, check(context))
        waiting.delete(name)
        return findings
      }),
    )
    const all = [...opened.findings, ...(await inspected).findings, ...found.flat(), ...checkClock(context)]
    const rank = ({ group }: Finding) => findingGroups.indexOf(group)
    return { project: opened.project, findings: all.toSorted((one, other) => rank(one) - rank(other)) }
  } finally {
    done()
  }
}

const open = async (io: CommandIo): Promise<Examination> => {
  const { warn, fail } = findingsOf('Project', 'project')
  if ((await findProject(io)) === undefined) {
    const fix = 'Go to the folder of the oracle, or create one: sibyl new'
    return { project: undefined, findings: [warn('There is no project in this folder.', fix)] }
  }
  try {
    return { project: await openProject(io), findings: [] }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { project: undefined, findings: [fail(error.message, error.remedy)] }
  }
}

const inspect = async (project: Project, io: CommandIo) => {
  try {
    return { inspection: await inspectProject(project, io), findings: [] }
  } catch (error) {
    if (!(error instanceof CommandError) || cliErrors.interrupted.is(error)) throw error
    return { findings: [findingsOf('Project', 'start').fail(error.message, error.remedy)] }
  }
}

/** Returns the findings of a check; its timeout or error is also a finding. */
const settled = async (name: string, work: Promise<Finding[]>): Promise<readonly Finding[]> => {
  const { warn, fail } = findingsOf('This computer', name)
  try {
    return await withTimeout(() => work, { timeoutMs: checkLimitMs })
  } catch (error) {
    if (timeErrors.timed_out.is(error)) {
      return [warn(`The check of ${name} took longer than ${checkLimitMs / 1_000} s.`, 'Look again.')]
    }
    if (cliErrors.interrupted.is(error)) throw error
    if (error instanceof CommandError) return [findingsOf('Project', name).fail(error.message, error.remedy)]
    const reason = cleanLine(error instanceof Error ? error.message : String(error))
    return [fail(`The check of ${name} failed: ${reason}`, 'Fix these problems, and run sibyl doctor again.')]
  }
}

/** After a second, shows the pending checks. */
const showProgress = (waiting: ReadonlySet<string>, io: CommandIo): (() => void) => {
  if (!isTerminal(io.stderr, io.env)) return () => {}
  let end = () => {}
  const timer = setTimeout(() => {
    end = showWork(`Looking: ${[...waiting].join(', ')}`, new Screen(io.stderr, true), true, io).done
  }, 1_000)
  return () => {
    clearTimeout(timer)
    end()
  }
}

const indent = '        '

/** Returns the findings as lines: grouped, aligned, with fixes. */
const findingLines = (
  findings: readonly Finding[],
  project: Project | undefined,
  { stdout, env }: CommandIo,
): string[] => {
  const styles = stylesFor(stdout, env)
  const columns = Math.max(30, (stdout.columns ?? 100) - indent.length)
  const groups = findingGroups.flatMap(group => {
    const here = findings.filter(finding => finding.group === group)
    const shown = here.map(one => (one.fix === undefined ? one : { ...one, fix: asCalled(one.fix, env) }))
    return here.length === 0 ? [] : [styles.bold(group), ...shown.flatMap(one => linesOf(one, columns, styles)), '']
  })
  const where =
    project === undefined
      ? []
      : [...wrapWords(`${project.config.name ?? 'An oracle'} in ${project.folder}`, columns), '']
  return [...where.map(cleanLine), ...groups, summary(findings, styles)]
}

const linesOf = ({ state, message, fix }: Finding, columns: number, styles: Styles): string[] => {
  const [first = '', ...more] = wrapWords(cleanLine(message), columns)
  const check = state === 'ok' ? styles.dim : state === 'warn' ? styles.warning : styles.error
  return [
    `  ${check(state.padEnd(4))}  ${first}`,
    ...more.map(line => indent + line),
    ...(fix === undefined ? [] : fixLines(fix, columns).map(line => styles.accent(indent + line))),
  ]
}

/** Returns the lines of a fix, indented behind its marker. */
const fixLines = (fix: string, columns: number): string[] =>
  wrapWords(cleanLine(fix), columns - 2).map((line, index) => `${index === 0 ? '→' : ' '} ${line}`)

const summary = (findings: readonly Finding[], { error, warning }: Styles): string => {
  const [warnings, failures] = ['warn', 'fail'].map(state => findings.filter(finding => finding.state === state).length)
  if (failures) return error(`${formatCount(failures, 'failure')}, ${formatCount(warnings ?? 0, 'warning')}.`)
  return warnings ? warning(`Nothing fails; ${formatCount(warnings, 'warning')}.`) : 'No problems found.'
}
