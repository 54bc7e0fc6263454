import type { FieldOffice } from './field-oracle.ts'
import type { Narrator } from './narrator.ts'
import { type Answer, talk } from './talk.ts'

/** The same, message by message, with the model that needs no key and knows the examples of the manifests alone. */
export const workByMessage = async (
  office: FieldOffice,
  siteUrl: string,
  narrator: Narrator,
): Promise<readonly Answer[]> => {
  const oracle = await office.open()
  const answers: Answer[] = []
  const print = async (session: string, words: string) =>
    answers.push(await talk(oracle.person, session, words, narrator))
  try {
    narrator.step('Message by message, without a model')
    narrator.print('The oracle was restarted on the same database. It answers from the examples of its plugins.')
    await print('by-message', `Read ${siteUrl}/week-46`)
    await print('by-message', 'Run (19.5 + 16 + 21.5 + 0 + 14) / 5')
    await print('by-message', 'Who has the stove A-17?')
    await print('by-message', 'Remember that Mercy Banda reads the meters on Mondays')
    narrator.step('Another conversation')
    await print('later', 'What do you remember about Mercy Banda?')
    await print('later', 'What do you remember about week 46?')
    return answers
  } finally {
    await oracle.close()
  }
}
