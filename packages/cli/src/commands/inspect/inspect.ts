import { during } from '../../ask/work-line.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import type { InspectOptions } from './inspect-command.ts'
import { inspectionLines, problemLines } from './inspection-lines.ts'

/** Longer lines are hard to read. */
const widest = 100

/**
 * Runs `sibyl inspect`: shows the start of a turn of the oracle, and its cost.
 *
 * @throws `project_missing`, `project_failed`
 */
export const inspect = async ({ json, prompt }: InspectOptions, io: CommandIo): Promise<ExitCode> => {
  const project = await openProject(io)
  const inspection = await during('Inspecting the oracle', io, () => inspectProject(project, io))
  const starts = inspection.problems.length === 0
  if (json) writeJson(io, inspection)
  else if (prompt && inspection.turn) io.stdout.write(`${cleanText(inspection.turn.prompt)}\n`)
  else {
    const layout = { styles: stylesFor(io.stdout, io.env), columns: Math.min(io.stdout.columns ?? widest, widest) }
    const lines = prompt ? problemLines(inspection, layout) : inspectionLines(inspection, layout)
    const target = prompt ? io.stderr : io.stdout
    target.write(`${lines.join('\n')}\n`)
  }
  return starts ? exitCode.done : exitCode.configuration
}
