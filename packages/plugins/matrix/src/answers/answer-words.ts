/** Texts as paragraphs of one; what is blank is left out. */
export const joined = (...texts: readonly string[]): string =>
  texts
    .map(text => text.trim())
    .filter(text => text !== '')
    .join('\n\n')

/** What is said once to a program that answers the bot's answers. */
export const loopText =
  'Your messages come as quickly as those of a program that answers me. I do not answer you here for the next hour.'

/** What is said of a turn that did not end by itself. @param code Of its fault, where it had one. */
export const endText = (outcome: string, code: string | undefined): string => {
  if (outcome === 'interrupted') return 'I was cut off while I worked on this. Please ask again.'
  if (outcome === 'stopped') return '(Stopped.)'
  return code === 'turn_time_limit'
    ? 'That took too long, and I had to stop.'
    : 'Something went wrong on my side. Please try again later.'
}
