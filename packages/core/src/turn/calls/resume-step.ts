import { readJson } from '../../database/stored-json.ts'
import { isSettled, isToolPart, type ToolPart, toolNameOf } from '../../sessions/stored-message.ts'
import { askForAnswer } from '../approvals/ask-person.ts'
import { type BegunCall, endingOf, endingText } from '../store/tool-call-store.ts'
import type { CallingTurn } from './calling-turn.ts'
import { judgeCall, runToolCall } from './run-tool-call.ts'
import { safeToolError } from './tool-error-text.ts'

/**
 * Finishes the step whose calls were running when the process of a turn ended. A call that is done has its stored result, one
 * that had begun and is not safe to repeat has an unknown outcome, and all others run now.
 */
export const resumeStep = async (run: CallingTurn): Promise<void> => {
  const { running, dependencies } = run
  const begun = await dependencies.toolCalls.ofTurn(running.facts.id)
  const open = running.answer.parts.filter(part => isToolPart(part) && !isSettled(part)) as ToolPart[]
  await Promise.all(open.map(part => settlePart(part, begun, run)))
  if (running.phase === 'waiting') return
  running.emit({ type: 'finish-step' })
  await run.checkpoint(false)
}

const settlePart = async (part: ToolPart, begun: ReadonlyMap<string, BegunCall>, run: CallingTurn): Promise<void> => {
  const { toolCallId } = part
  const { running } = run
  const fail = (errorText: string) => running.emit({ type: 'tool-output-error', toolCallId, errorText })
  const offered = run.tools.find(toolNameOf(part))
  const isOfAgent = [...begun.keys()].some(id => id.startsWith(`${toolCallId}/`))
  const call = begun.get(toolCallId)
  const ending = isOfAgent && !call ? 'unknown' : endingOf(call)
  if (typeof ending === 'object') {
    return running.emit({ type: 'tool-output-available', toolCallId, output: readJson<unknown>(ending.output, null) })
  }
  const repeats = ending === 'unknown' && !isOfAgent && offered?.tool.repeatable === true
  if (ending !== 'not_run' && !repeats) return fail(endingText[ending])
  try {
    if (!offered || !run.tools.judge(offered.name).allowed) return fail(endingText[ending])
    const made = { toolCallId, toolName: offered.name, input: part.input }
    const judged = await judgeCall(offered, made, run)
    if ('invalid' in judged) return fail(endingText[ending])
    const result = await runToolCall(repeats ? { ...judged, repeats } : judged, run)
    if ('output' in result) running.emit({ type: 'tool-output-available', toolCallId, output: result.output })
    else await askForAnswer(run, made, result.question)
  } catch (error) {
    fail(safeToolError(error))
  }
}
