import { newId, type ToolRequest } from '@sibyl/plugin'
import { LoopState } from './loop-state.ts'
import { StepCalls } from './step-calls.ts'
import { StepContent } from './step-content.ts'
import type { ModelLoopResult, TurnRun } from './turn-run.ts'

/**
 * Runs calls of a client as one step of a turn: as if the model had made them, with its gate and its approvals. A turn that
 * goes on after an approval has no further calls.
 */
export const runClientCalls = async (run: TurnRun, requests: readonly ToolRequest[]): Promise<ModelLoopResult> => {
  const ended = (): ModelLoopResult => ({ ...run.running.used, finishReason: 'tool-calls' })
  if (requests.length === 0) return ended()
  const loop = new LoopState(run)
  const calls = new StepCalls(loop, new StepContent())
  loop.emit({ type: 'start-step' })
  loop.tools.offer()
  for (const { tool, input } of requests) {
    const call = { toolCallId: newId('call'), toolName: tool, input: JSON.stringify(input) }
    await calls.take({ type: 'tool-call', ...call })
  }
  await calls.run()
  loop.emit({ type: 'finish-step' })
  return ended()
}
