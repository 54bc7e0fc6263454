import type { Logger } from '@sibyl/plugin'
import type { LogFields } from '@sibyl/plugin/host'
import type { TextOutput } from '@sibyl/telemetry'
import type { AdapterFact, BootFact, ExcludedFact, PluginFact } from './boot-facts.ts'
import { type BootLayout, type BootStyle, bootLayout, formatBootFact } from './format-boot.ts'

/** The target of the boot log: a terminal or file for users, or the logger, with the same texts as its lines. */
export type BootLogTarget =
  | {
      readonly output: TextOutput
      readonly colour: boolean
      /** `problems` prevent a start; `warnings` includes those and warnings. @default 'all' */
      readonly tells?: 'all' | 'warnings' | 'problems'
      /** Whether the plugins of a kind share a line. */
      readonly folded?: boolean
    }
  | { readonly logger: Logger }

export interface BootLog {
  /** Logs these facts; facts of one call have aligned columns, also with earlier ones. */
  report(...facts: readonly BootFact[]): void
}

export const createBootLog = (target: BootLogTarget): BootLog => {
  if ('logger' in target) {
    return { report: (...facts) => facts.forEach(fact => void logFact(target.logger, fact)) }
  }
  const { output, colour, tells = 'all', folded = false } = target
  let layout: BootLayout | undefined
  return {
    report(...facts) {
      layout = bootLayout(facts, layout)
      const columns = output.isTTY && output.columns ? Math.max(output.columns, 20) : undefined
      const style: BootStyle = { colour, layout, columns }
      const reported = facts.filter(
        fact => tells === 'all' || isProblem(fact) || (tells === 'warnings' && isWarning(fact)),
      )
      const lines = (folded ? foldFacts(reported) : reported).flatMap(fact => formatBootFact(fact, style))
      if (lines.length > 0) output.write(`${lines.join('\n')}\n`)
    },
  }
}

const logFact = (logger: Logger, fact: BootFact): void => {
  const { message, fields } = bootMessage(fact)
  if (isProblem(fact)) logger.error(message, fields)
  else if (isWarning(fact)) logger.warn(message, fields)
  else logger.info(message, fields)
}

const isProblem = ({ kind }: BootFact): boolean => kind === 'problem' || kind === 'verdict'

const isWarning = (fact: BootFact): boolean =>
  (fact.kind === 'settled' && (fact.state === 'failed' || fact.state === 'degraded')) ||
  ('warn' in fact && fact.warn === true) ||
  (fact.kind === 'identity' && fact.did === undefined)

/** Returns the text of a fact on one line, and its fields: `[boot] excluded: memory (MEMORY_MCP_URL)`. */
const bootMessage = (fact: BootFact): { readonly message: string; readonly fields: LogFields } => {
  const style = { colour: false, layout: bootLayout([fact]) }
  const [line = ''] = formatBootFact(fact, style)
  const message = line.replace(/ {2,}/g, ' ')
  if (fact.kind === 'problem') {
    const { headline: _, ...fields } = fact.problem
    return { message, fields: { boot: 'problem', ...fields } }
  }
  const { kind, warn: _, ...fields } = fact as BootFact & { readonly warn?: boolean }
  return { message, fields: { boot: kind, ...fields } }
}

/** Returns facts of a boot with one line for the plugins of each kind, for a terminal. */
const foldFacts = (facts: readonly BootFact[]): BootFact[] => {
  const lists = Object.groupBy(facts.filter(isListed), ({ kind }) => kind)
  return facts.flatMap((fact): BootFact[] => {
    if (!isListed(fact)) return [fact]
    const { kind } = fact
    const listed = lists[kind] ?? []
    return fact === listed[0] ? [{ kind: 'list', of: kind, names: listed.map(nameOf) }] : []
  })
}

type ListedFact = PluginFact | AdapterFact | ExcludedFact

const isListed = (fact: BootFact): fact is ListedFact =>
  ['loaded', 'available', 'adapter', 'excluded'].includes(fact.kind)

const nameOf = (fact: ListedFact): string => {
  if (fact.kind === 'adapter') return fact.endpoint
  const detail = fact.kind === 'excluded' ? fact.variable : fact.detail
  return detail === undefined ? fact.plugin : `${fact.plugin} (${detail})`
}
