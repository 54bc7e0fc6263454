/**
 * The answers that a text such as `1*2` stands for. Where an answer is itself a star, which ends a session, it stands
 * between or behind the stars that join: `1**` is 1 and then a star.
 *
 * @returns undefined when an answer is missing: `1*`
 */
export const splitAnswers = (text: string): string[] | undefined => {
  if (text === '') return []
  const answers: string[] = []
  let rest = text
  for (;;) {
    const answer = rest.startsWith('*') ? '*' : /^[^*]*/.exec(rest)?.[0]
    if (!answer) return undefined
    answers.push(answer)
    rest = rest.slice(answer.length)
    if (rest === '') return answers
    if (!rest.startsWith('*')) return undefined
    rest = rest.slice(1)
  }
}
