import { defineTool, holderOf, personalAbility, type Tools } from '@sibyl/plugin'
import { z } from 'zod'
import { credits, formatAmount } from './definitions/amounts.ts'
import { type AccountDependencies, readAccount, usedInDays } from './reading/read-account.ts'

/** Creates the tools that report a user's balance and usage. */
export const creditTools = (parts: AccountDependencies): Tools => ({
  get_balance: defineTool({
    description: "The user's credit.",
    input: z.object({}),
    effect: 'read',
    ability: ['credits/read', personalAbility],
    async execute(_, { turn }) {
      const { balance, held, usedToday } = await readAccount(parts, holderOf(turn.actor))
      const isMetered = parts.policy.grant === undefined
      const today = `${credits(usedToday)} used today`
      return {
        balance: formatAmount(balance),
        held: formatAmount(held),
        usedToday: formatAmount(usedToday),
        summary: isMetered
          ? `Nothing is charged: turns are only counted, ${today}.`
          : `You have ${credits(balance)}, of which ${formatAmount(held)} is held for this turn; ${today}.`,
      }
    },
  }),
  get_usage: defineTool({
    description: "The cost of the user's turns.",
    input: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
    effect: 'read',
    ability: ['credits/read', personalAbility],
    async execute({ days }, { turn }) {
      const { amount, turns, inputTokens, outputTokens } = await usedInDays(parts, holderOf(turn.actor), days)
      return {
        credits: formatAmount(amount),
        turns,
        inputTokens,
        outputTokens,
        summary: `${credits(amount)} for ${turns} ${turns === 1 ? 'turn' : 'turns'} in ${days === 1 ? 'the last day' : `the last ${days} days`}.`,
      }
    },
  }),
})
