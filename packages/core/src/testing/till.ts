import { defineTool, type PluginParts, type Tool, type ToolCall } from '@sibyl/plugin'
import { z } from 'zod'

/** A payment of the till. */
export interface Payment {
  readonly amount: number
  readonly idempotencyKey: string
  readonly approvalData: unknown
}

/** Creates contributions with a writing tool `pay` that requires approval, and a reading tool `look`. */
export const till = (
  approval: Tool<{ amount: number }>['approval'] = 'user',
): { readonly parts: PluginParts; readonly payments: Payment[] } => {
  const payments: Payment[] = []
  const pay = defineTool({
    description: 'Pays an amount.',
    input: z.object({ amount: z.number() }),
    effect: 'write',
    approval,
    describe: ({ amount }) => `Pay ${amount} €`,
    execute: async ({ amount }, { idempotencyKey, approvalData }: ToolCall) => {
      payments.push({ amount, idempotencyKey, approvalData })
      return { paid: amount }
    },
  })
  const style = defineTool({
    description: 'Looks into the till.',
    input: z.object({}),
    effect: 'read',
    execute: async () => ({ inside: 100 }),
  })
  return { parts: { tools: { pay: pay as Tool, look: style } }, payments }
}
