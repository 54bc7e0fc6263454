import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { during } from '../../ask/work-line.ts'
import type { JsonOptions } from '../../command/common-options.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import { wrapWords } from '../../output/display-width.ts'
import { formatCount } from '../../output/format.ts'
import { type Style, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import { readProjectFile } from '../../project/read-project-file.ts'
import { askingOracle } from './env-context.ts'
import { type EnvFileFacts, type EnvFinding, fileFindings, inspectionFindings, secretFindings } from './env-findings.ts'

/** Runs `sibyl env check`: exit code 3 if a variable prevents the oracle from working. */
export const checkEnv = async ({ json }: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const project = await openProject(io)
  const [inspection, file] = await Promise.all([
    during(askingOracle, io, () => inspectProject(project, io)),
    factsOf(join(project.folder, '.env')),
  ])
  const known = new Set(inspection.variables.map(({ name }) => name))
  const findings = [
    ...inspectionFindings(inspection),
    ...secretFindings(project, known, io.env),
    ...fileFindings(file),
  ].toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
  const failed = findings.some(({ level }) => level === 'fail')
  if (json) writeJson(io, { ok: !failed, findings })
  else show(findings, known.size, io)
  return failed ? exitCode.configuration : exitCode.done
}

const levels: readonly EnvFinding['level'][] = ['fail', 'warn', 'note']

const factsOf = async (path: string): Promise<EnvFileFacts> => {
  const text = await readProjectFile(path)
  const mode = text === undefined || process.platform === 'win32' ? undefined : (await stat(path)).mode & 0o777
  return { path, text, mode }
}

const show = (findings: readonly EnvFinding[], variables: number, io: CommandIo): void => {
  const styles = stylesFor(io.stdout, io.env)
  const readings: Readonly<Record<EnvFinding['level'], Style>> = {
    fail: styles.error,
    warn: styles.warning,
    note: styles.dim,
  }
  const columns = Math.min(io.stdout.columns ?? 100, 100)
  for (const { level, variable, message, fix } of findings) {
    const words = variable === undefined || message.includes(variable) ? message : `${variable}: ${message}`
    const [first = '', ...more] = wrapWords(words, columns - 6)
    io.stdout.write(`${readings[level](level.padEnd(4))}  ${first}\n`)
    for (const line of more) io.stdout.write(`      ${line}\n`)
    for (const line of fix === undefined ? [] : wrapWords(asCalled(fix, io.env), columns - 6))
      io.stdout.write(`      ${styles.dim(line)}\n`)
  }
  const [failures, warnings] = (['fail', 'warn'] as const).map(
    level => findings.filter(it => it.level === level).length,
  )
  const counts = [
    ...(failures ? [formatCount(failures, 'failure')] : []),
    ...(warnings ? [formatCount(warnings, 'warning')] : []),
  ]
  if (findings.length > 0) io.stdout.write('\n')
  io.stdout.write(`${formatCount(variables, 'variable')}: ${counts.length > 0 ? counts.join(', ') : 'no problems'}.\n`)
}
