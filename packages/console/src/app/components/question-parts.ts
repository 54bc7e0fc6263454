/** Returns the sentence of an approval question, and every argument of the call, if it has any. */
export const questionParts = (question: string): { readonly sentence: string; readonly shown: string | undefined } => {
  const [sentence = '', shown] = question.split(/\n\n(.*)$/s)
  return { sentence, shown }
}
