import { type ScriptedCall, type ScriptedPart, scriptedModel } from '@sibyl/testing'

/** A language model that chooses each step by what it was sent, as often as it is called; it remembers nothing. */
export const endlessModel = (
  step: (call: ScriptedCall) => readonly ScriptedPart[],
): ReturnType<typeof scriptedModel> => ({
  ...scriptedModel([]),
  doStream: options => scriptedModel([step]).doStream(options),
  doGenerate: options => scriptedModel([step]).doGenerate(options),
})

/** The words of the last message of the person: the last text, since a message without an answer is sent with the next. */
export const askedText = ({ prompt }: ScriptedCall): string => {
  const last = prompt.findLast(({ role }) => role === 'user')
  if (last?.role !== 'user') return ''
  return last.content.findLast(part => part.type === 'text')?.text ?? ''
}
