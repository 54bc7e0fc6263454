import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import type { FlowNode } from './flow-record.ts'

/** Returns the first line of a screen in a language, or its name as words. */
export const screenTitle = (node: Pick<FlowNode, 'id' | 'text'>, language: string): string => {
  const line = node.text?.[language]?.split('\n', 1)[0]?.trim()
  return line ? line : wordsOf(node.id)
}

/** Returns a name as words: `Log in` for `logIn`. */
export const wordsOf = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A screen that a text on the phone comes from. */
export interface RecognizedScreen {
  readonly id: string
  readonly language: string
}

/** Returns the screen and the language of a text on the phone, by the fixed beginning of the screens' texts. */
export const recognizeScreen = (flow: FlowRecord, shown: string): RecognizedScreen | undefined => {
  let found: (RecognizedScreen & { readonly length: number }) | undefined
  for (const { id, text = {} } of flow.nodes) {
    for (const [language, words] of Object.entries(text)) {
      const [fixed = ''] = words.split('{', 1)
      const isLonger = fixed.length > Math.max(3, found?.length ?? 0)
      if (isLonger && (shown.startsWith(fixed) || shown.includes(`\n${fixed}`)))
        found = { id, language, length: fixed.length }
    }
  }
  return found
}
