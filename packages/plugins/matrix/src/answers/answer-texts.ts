import type { Refusal } from '@sibyl/plugin'

/** Texts as paragraphs of one; what is blank is left out. */
export const joined = (...texts: readonly string[]): string =>
  texts
    .map(text => text.trim())
    .filter(text => text !== '')
    .join('\n\n')

/** What is said once to a program that answers the bot's answers. */
export const loopText =
  'Your messages come as quickly as those of a program that answers me. I do not answer you here for the next hour.'

/** Replies to a file that is rejected. */
export const fileTexts = {
  encrypted: 'I cannot read encrypted files. Send it in a room without encryption, and I will answer there.',
  broken: 'I cannot read that file: your message does not say where it is. Please send it again.',
  missing: 'I could not get that file from the homeserver. Please send it again.',
  tooLarge: 'That file is too large for me. Please send a smaller one.',
  off: 'I cannot take files. Please write to me instead.',
} as const

/** What is said of a turn that did not end by itself. @param code Of its fault, where it had one. */
export const endText = (outcome: string, code: string | undefined): string => {
  if (outcome === 'interrupted') return 'I was cut off while I worked on this. Please ask again.'
  if (outcome === 'stopped') return '(Stopped.)'
  return code === 'turn_time_limit'
    ? 'That took too long, and I had to stop.'
    : 'Something went wrong on my side. Please try again later.'
}

/** Why a turn was refused, in words for the person in the room. */
export const refusalText = ({ status, code, detail, retryAfterSeconds }: Refusal): string => {
  if (status === 402) return `I cannot answer: there is no credit left for it. ${detail}`
  if (code === 'model_not_configured') return 'I cannot answer: my operator has not set up a language model for me yet.'
  if (status === 429) return `I have been asked more than I may answer. Please try again${when(retryAfterSeconds)}.`
  if (status === 503) return `I cannot answer just now. Please try again${when(retryAfterSeconds)}.`
  return 'I may not answer that here.'
}

const when = (seconds: number | undefined): string => {
  if (seconds === undefined) return ' later'
  if (seconds < 90) return ' in a minute'
  return seconds < 5_400 ? ` in ${Math.ceil(seconds / 60)} minutes` : ` in ${Math.ceil(seconds / 3_600)} hours`
}

/** Whether a refusal passes by itself, and nobody is to hear of it: the message waits. */
export const passesByItself = ({ code }: Refusal): boolean =>
  code === 'shutting_down' || code === 'storage_unavailable' || code === 'turn_running'
