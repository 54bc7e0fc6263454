import type { Turn } from '@sibyl/core'

/** Tells the agent, in a turn of somebody who wrote an SMS alone, what an SMS can carry. */
export const smsInstructions = async ({ channel }: Turn): Promise<string | undefined> =>
  channel === 'sms'
    ? 'The person reads this as an SMS. Answer in their language, in plain text without Markdown or pictographs, in less ' +
      'than 300 characters. No person can approve anything here.'
    : undefined
