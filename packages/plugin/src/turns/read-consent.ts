const yes = /^(y|yes|yep|ok|okay|sure|oui|ndiyo|ndio|👍️?|✅)$/iu
const always = /^(always|toujours|daima)$/iu
const no = /^(n|no|nope|cancel|stop|non|annuler|hapana|ghairi|👎️?|❌)$/iu

/**
 * Reads a message as the answer to an approval question, in English, French or Swahili; undefined for any other message.
 *
 * @example readConsent('Ndiyo.')  // 'once'
 */
export const readConsent = (text: string): 'once' | 'session' | 'deny' | undefined => {
  const word = text.trim().replace(/[.!]+$/, '')
  if (yes.test(word)) return 'once'
  if (always.test(word)) return 'session'
  return no.test(word) ? 'deny' : undefined
}
