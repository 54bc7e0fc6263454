/**
 * Returns the approval questions of a turn as one text of a channel, with how to answer them; `readConsent` reads the answers.
 * A question with more characters than the channel shows is cut, says how many are not shown, and can only be denied there.
 *
 * @param maxQuestion As in the options of `host.turns.decide`, which rejects a yes to a question that was cut.
 * @param format Formats what is shown of a question, such as for Markdown.
 */
export const consentText = (
  questions: readonly string[],
  maxQuestion: number,
  format = (shown: string): string => shown,
): string => {
  const isWhole = questions.every(({ length }) => length <= maxQuestion)
  const texts = questions.map(text => {
    if (text.length <= maxQuestion) return format(text)
    const shown = text.slice(0, maxQuestion).replace(/[\ud800-\udbff]$/, '')
    return `${format(`${shown}…`)}\n\n${text.length - shown.length} ${notShown}`
  })
  return [...texts, isWhole ? 'Answer yes, always or no.' : 'Answer no to deny it here.'].join('\n\n')
}

const notShown =
  'more characters are not shown here, so this channel does not accept a yes. ' +
  'Approve the call where all of it is shown, such as in the console under Approvals.'
