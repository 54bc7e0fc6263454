import type { Interrupt, RunFinishedOutcome } from '@ag-ui/core'
import type { PendingCall } from '@sibyl/plugin/host'

/** The form of the answer to an approval question. */
const approvalSchema = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', description: 'Whether the tool may run.' },
    always: { type: 'boolean', description: 'Whether it may run in this thread without another question.' },
  },
  required: ['approved'],
}

/**
 * Returns the outcome of a run with these pending calls: interrupts for the user, or calls that the client is to run.
 *
 * @param version The version that the client speaks. Clients from before 1.0 reject members that they do not know.
 */
export const outcomeOf = (pending: readonly PendingCall[], version: string | undefined): RunFinishedOutcome => {
  const interrupts = pending.flatMap(call => (call.kind === 'client' ? [] : [interruptOf(call)]))
  if (interrupts.length > 0) return { type: 'interrupt', interrupts }
  const calls = pending.map(({ toolCallId }) => toolCallId)
  const names = calls.length > 0 && version !== undefined
  return { type: 'success', ...(names ? { pendingToolCallIds: calls } : {}) }
}

const interruptOf = ({ approvalId, toolCallId, tool, kind, text, schema }: PendingCall): Interrupt => ({
  id: approvalId,
  reason: kind === 'approval' ? 'tool_call' : 'input_required',
  message: text,
  toolCallId,
  responseSchema: kind === 'approval' ? approvalSchema : (schema ?? { type: 'object' }),
  metadata: { toolName: tool },
})
