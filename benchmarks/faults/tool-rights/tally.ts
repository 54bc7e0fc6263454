import type { Plan } from './plans.ts'
import { agrees, type Verdict } from './verdict.ts'

/** A trial. */
export interface Trial {
  readonly channel: string
  readonly state: string
  /** Name of the caller, for reports. */
  readonly caller: string
}

/** Expected verdicts of a tool: any of these. */
export type WantedVerdicts = (tool: string) => readonly Verdict[]

/** Counts cells and differences. */
export class Tally {
  readonly cells: Record<string, number> = {}
  readonly verdicts: Record<string, number> = {}
  readonly differences: string[] = []
  #count = 0

  /** The number of cells. */
  get count(): number {
    return this.#count
  }

  /** Compares one cell. */
  compare(trial: Trial, tool: string, wanted: readonly Verdict[], found: Verdict | 'nothing'): void {
    const kind = `${trial.channel} ${trial.state}`
    this.cells[kind] = (this.cells[kind] ?? 0) + 1
    this.verdicts[found] = (this.verdicts[found] ?? 0) + 1
    this.#count += 1
    if (found !== 'nothing' && agrees(wanted, found)) return
    this.differences.push(`${kind}, ${trial.caller}, ${tool}: ${found}, the routes say ${wanted.join(' or ')}`)
  }

  /**
   * Compares what a plan found on each tool. The tool's code ran where the verdict is `run` and nowhere else, and the model
   * was not offered a tool whose ability is missing.
   */
  compareAll(trial: Trial, tools: readonly string[], wanted: WantedVerdicts, plan: Plan): void {
    for (const tool of tools) {
      const found = plan.verdicts.get(tool) ?? 'nothing'
      const ran = plan.ran.has(tool)
      const isOffered = plan.offered.has(tool)
      const fits = (found === 'run') === ran && (found === 'ability') === !isOffered
      this.compare(trial, tool, wanted(tool), fits ? found : ran ? 'run' : 'nothing')
    }
  }

  /** Compares one verdict on all tools, such as that no turn begins. */
  compareEach(trial: Trial, tools: readonly string[], wanted: WantedVerdicts, found: Verdict): void {
    for (const tool of tools) this.compare(trial, tool, wanted(tool), found)
  }
}
