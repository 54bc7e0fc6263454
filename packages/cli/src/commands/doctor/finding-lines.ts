import type { CommandIo } from '../../command-io.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import { type Styles, stylesFor } from '../../output/styles.ts'
import { wrapWords } from '../../output/wrap-words.ts'
import type { Project } from '../../project/project.ts'
import { type Finding, findingGroups } from './finding.ts'

const indent = '        '

/** What was found, for a person: grouped, aligned, with a fix below what is not as it should be. */
export const findingLines = (
  findings: readonly Finding[],
  project: Project | undefined,
  { stdout, env }: CommandIo,
): string[] => {
  const styles = stylesFor(stdout, env)
  const columns = Math.max(30, (stdout.columns ?? 100) - indent.length)
  const groups = findingGroups.flatMap(group => {
    const here = findings.filter(finding => finding.group === group)
    return here.length === 0 ? [] : [styles.bold(group), ...here.flatMap(one => linesOf(one, columns, styles)), '']
  })
  const where =
    project === undefined
      ? []
      : [...wrapWords(`${project.config.name ?? 'An oracle'} in ${project.folder}`, columns), '']
  return [...where.map(cleanLine), ...groups, summary(findings, styles)]
}

const linesOf = ({ state, message, fix }: Finding, columns: number, styles: Styles): string[] => {
  const [first = '', ...more] = wrapWords(cleanLine(message), columns)
  const look = state === 'ok' ? styles.dim : state === 'warn' ? styles.warning : styles.error
  return [
    `  ${look(state.padEnd(4))}  ${first}`,
    ...more.map(line => indent + line),
    ...(fix === undefined ? [] : fixLines(fix, columns).map(line => styles.accent(indent + line))),
  ]
}

/** The lines below the first stand behind its arrow. */
const fixLines = (fix: string, columns: number): string[] =>
  wrapWords(cleanLine(fix), columns - 2).map((line, index) => `${index === 0 ? '→' : ' '} ${line}`)

const summary = (findings: readonly Finding[], { error, warning }: Styles): string => {
  const [warnings, failures] = ['warn', 'fail'].map(state => findings.filter(finding => finding.state === state).length)
  if (failures) return error(`${formatCount(failures, 'failure')}, ${formatCount(warnings ?? 0, 'warning')}.`)
  return warnings ? warning(`Nothing fails; ${formatCount(warnings, 'warning')}.`) : 'All is well.'
}
