/**
 * Starts a text part that the oracle adds to the message of the user for one turn, to distinguish it from the text of
 * the user.
 */
export const turnNoteHeading = '[From the oracle itself, for this turn]'

/** Begins a text part that stands for a file which the person sent along. */
export const attachmentHeading = 'Attached: '

/** Stands for the person before an answer to the same question again. */
export const againNote =
  '(Answer my last message again. What you said and did above stands: calls with a result were made, so do not repeat those that change something.)'

/** Replaces the user message before a post of the oracle. */
export const postNote = '(The person said nothing here. You sent the following message on your own initiative.)'
