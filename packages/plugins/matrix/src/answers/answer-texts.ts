import { effectsText, type Refusal, type TurnResult } from '@sibyl/plugin'

/** Joins texts as paragraphs; blank ones are omitted. */
export const joined = (...texts: readonly string[]): string =>
  texts
    .map(text => text.trim())
    .filter(text => text !== '')
    .join('\n\n')

/** Text that is sent once to a program that answers the bot's answers. */
export const loopText = 'Your messages look like automatic replies to mine. I do not answer you here for the next hour.'

/** Replies to a file that is rejected. */
export const fileTexts = {
  changed: 'I could not decrypt that file: its content was changed. Please send it again.',
  broken: 'I cannot read that file: your message does not say where it is. Please send it again.',
  missing: 'I could not get that file from the homeserver. Please send it again.',
  tooLarge: 'That file is too large for me. Please send a smaller one.',
  off: 'I cannot take files. Please write to me instead.',
} as const

/** Returns the text about a turn that did not complete. */
export const endText = ({ outcome, code, hasActed }: Pick<TurnResult, 'outcome' | 'code' | 'hasActed'>): string => {
  if (outcome === 'stopped') return '(Stopped.)'
  const [happened, advice] =
    outcome === 'interrupted'
      ? ['I was interrupted while I worked on this.', 'Please ask again.']
      : code === 'turn_time_limit'
        ? ['That took too long, and I had to stop.', '']
        : ['An error occurred on my side.', 'Please try again later.']
  return `${happened} ${hasActed ? effectsText : advice}`.trim()
}

/** Returns the text about a rejected turn for the user in the room. */
export const refusalText = ({ status, code, detail, retryAfterSeconds }: Refusal): string => {
  if (status === 402) return `I cannot answer because there is no credit left. ${detail}`
  if (code === 'model_not_configured')
    return 'I cannot answer because my operator has not configured a language model yet.'
  if (status === 429) return `I have reached my limit of questions. Please try again${when(retryAfterSeconds)}.`
  if (status === 503) return `I cannot answer right now. Please try again${when(retryAfterSeconds)}.`
  return 'I may not answer that here.'
}

const when = (seconds: number | undefined): string => {
  if (seconds === undefined) return ' later'
  if (seconds < 90) return ' in a minute'
  return seconds < 5_400 ? ` in ${Math.ceil(seconds / 60)} minutes` : ` in ${Math.ceil(seconds / 3_600)} hours`
}

/** Returns whether a rejection is temporary and not reported: the message waits. */
export const isTransient = ({ code }: Refusal): boolean =>
  code === 'shutting_down' || code === 'storage_unavailable' || code === 'turn_running'
