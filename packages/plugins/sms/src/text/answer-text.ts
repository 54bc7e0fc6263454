import { plainPhoneText, shortenPhoneText } from '@sibyl/protocol'

/** Maximum length of answers: three parts of an SMS, two of them one short if a character cannot be split. */
const longest = { gsm7: 457, ucs2: 199 } as const

/** Converts an answer of the agent to SMS text: plain, at most three parts. Blank if nothing is left. */
export const answerText = (text: string): string => shortenPhoneText(plainPhoneText(text), longest)
