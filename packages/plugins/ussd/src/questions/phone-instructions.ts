import type { Turn } from '@sibyl/plugin'

/** Tells the agent, in a turn of a caller alone, what a phone can show. */
export const phoneInstructions = async ({ channel }: Turn): Promise<string | undefined> =>
  channel === 'ussd'
    ? 'The person reads this on a basic phone by USSD. Answer in the language of the question, in plain text without Markdown ' +
      'or pictographs, in at most 300 characters. No person can approve anything here.'
    : undefined
