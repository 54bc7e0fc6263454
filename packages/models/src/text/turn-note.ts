/**
 * Begins a text part that the oracle itself adds to the person's message for one turn, so that it is told apart from
 * what the person said.
 */
export const turnNoteHeading = '[From the oracle itself, for this turn]'

/** Begins a text part that stands for a file which the person sent along. */
export const attachmentHeading = 'Attached: '

/** Stands for the person before an answer to the same question again. */
export const againNote =
  '(Answer my last message again. What you said and did above stands: calls with a result were made, so do not repeat those that change something.)'

/** Stands for the person before what the oracle said by itself. */
export const postNote = '(The person said nothing here. You sent the following message on your own initiative.)'
