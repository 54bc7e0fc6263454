/**
 * Returns the id of a message of AG-UI that is a part of a stored answer: each step of an answer is a message of its own.
 *
 * @param part Differs in all messages of the answer.
 */
export const partId = (answerId: string, part: string | number): string => `${answerId}.${part}`

/** Returns the id of the stored answer that a message of AG-UI is a part of. */
export const answerIdOf = (id: string): string => id.slice(0, id.includes('.') ? id.indexOf('.') : undefined)
