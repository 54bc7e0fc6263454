import { readJson } from '../../database/stored-json.ts'
import { isSettled, isToolPart, type ToolPart, toolNameOf } from '../../sessions/stored-message.ts'
import { askForAnswer, showQuestion } from '../approvals/ask-person.ts'
import { type BegunCall, endingOf, endingText } from '../store/tool-call-store.ts'
import type { CallingTurn } from './calling-turn.ts'
import { judgeCall, runToolCall } from './run-tool-call.ts'
import { safeToolError } from './tool-error-text.ts'
import { settleUnknown } from './unknown-outcome.ts'

/**
 * Finishes the step whose calls were running when the process of a turn ended. A call that is done has its stored result. One that
 * had begun and is not safe to repeat is settled by what its tool finds out, or by the user. One that waits for a person still does.
 * All others run now.
 */
export const resumeStep = async (run: CallingTurn): Promise<void> => {
  const { running, dependencies } = run
  const { id } = running.facts
  const [begun, questions] = await Promise.all([dependencies.toolCalls.ofTurn(id), dependencies.approvals.ofTurn(id)])
  const asked = new Map(questions.map(question => [question.toolCallId, question]))
  for (const question of asked.values()) {
    running.waits()
    if (!running.stored?.events.some(({ json }) => json.includes(question.id))) showQuestion(running, question)
  }
  const open = running.answer.parts.filter(part => isToolPart(part) && !isSettled(part)) as ToolPart[]
  await Promise.all(open.filter(part => !asked.has(part.toolCallId)).map(part => settlePart(part, begun, run)))
  if (running.phase === 'waiting') return
  running.emit({ type: 'finish-step' })
  await run.checkpoint(false)
}

const settlePart = async (part: ToolPart, begun: ReadonlyMap<string, BegunCall>, run: CallingTurn): Promise<void> => {
  const { toolCallId } = part
  const { running } = run
  const fail = (errorText: string) => running.emit({ type: 'tool-output-error', toolCallId, errorText })
  const offered = run.tools.find(toolNameOf(part))
  const ending = endingOf(begun.get(toolCallId))
  if (typeof ending === 'object') {
    return running.emit({ type: 'tool-output-available', toolCallId, output: readJson<unknown>(ending.output, null) })
  }
  if (ending === 'failed' || ending === 'done') return fail(endingText[ending])
  try {
    if (!offered || !run.tools.judge(offered.name).allowed) return fail(endingText[ending])
    const made = { toolCallId, toolName: offered.name, input: part.input }
    const judged = await judgeCall(offered, made, run)
    if ('invalid' in judged) return fail(endingText[ending])
    const result = ending === 'unknown' ? await settleUnknown(judged, run) : await runToolCall(judged, run)
    if (result === undefined) return fail(endingText[ending])
    if ('ask' in result) await askForAnswer(run, made, result.ask, 'outcome')
    else if ('output' in result) running.emit({ type: 'tool-output-available', toolCallId, output: result.output })
    else await askForAnswer(run, made, result.question)
  } catch (error) {
    fail(safeToolError(error))
  }
}
