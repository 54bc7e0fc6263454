import type { JsonValue } from '@sibyl/protocol'
import { cleanLine, cleanLines } from '../text/clean-input.ts'
import { shorten } from '../text/shorten.ts'
import type { Flow, FlowKeys, FlowWords, Text } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'
import { bundledWords, bundledWordsOf, english } from './flow-words.ts'

/** Maximum length of a computed text, and of a value, in UTF-16 code units: about fifty pages. */
export const longestQuote = 8000

/** Placeholder of a value: a letter, then letters, digits, `_` and `-`, in braces. */
export const placeholder = /\{([A-Za-z][\w-]*)\}/g

const createFlowSpeech = (flow: Flow) => {
  const languages = (flow.languages ?? [english]).map(({ code }) => code)
  const first = languages[0] ?? english.code

  const pick = (text: Text, language: string): string =>
    typeof text === 'string' ? text : (text[language] ?? text[first] ?? Object.values(text)[0] ?? '')

  const send = (text: Text, { values, language }: FlowState): string => {
    const words = pick(text, language)
    if (!words.includes('{')) return words
    return words.replace(placeholder, (braces, name: string) => {
      const declared = flow.values?.[name]
      return declared === undefined ? braces : shorten(valueText(values[name]), declared.longest)
    })
  }

  return {
    /** The codes of the languages, the default first. */
    languages,
    /**
     * Returns the closest code among `languages` for a BCP 47 code: itself, or its language subtag (`sw` for `sw-TZ`).
     */
    language: (code: string | undefined): string | undefined =>
      languages.find(known => known === code) ?? languages.find(known => known === code?.split('-')[0]),
    /** Returns a text of the flow, with values in place of its braces. */
    text: send,
    quoteLine: (text: Text, { language }: FlowState): string => cleanLine(pick(text, language).slice(0, longestQuote)),
    /** Returns a text that the flow computed, without unsafe characters. */
    quote: (text: Text, { language }: FlowState): string => cleanLines(pick(text, language).slice(0, longestQuote)),
    word: (name: keyof FlowWords, state: FlowState): string => {
      const own = flow.words?.[name]
      if (typeof own === 'string' || own?.[state.language] !== undefined) return send(own, state)
      return bundledWordsOf(state.language)?.[name] ?? send(own ?? bundledWords.en[name], state)
    },
  }
}

/** Texts of a flow in the language of a session. */
export type FlowSpeech = ReturnType<typeof createFlowSpeech>

const valueText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return cleanLine(text.slice(0, longestQuote))
}

/** A flow with precomputed keys and texts. */
export interface PreparedFlow {
  readonly flow: Flow
  readonly speech: FlowSpeech
  readonly keys: FlowKeys
  /** The keys, which are not used as option numbers. */
  readonly taken: ReadonlySet<string>
}

/** A prepared flow, with the facts of the session. */
export interface FlowCall extends PreparedFlow {
  readonly facts: FlowFacts
}

export const defaultKeys: FlowKeys = { back: '0', more: '98', previous: '99' }

export const prepareFlow = (flow: Flow): PreparedFlow => {
  const keys = { ...defaultKeys, ...flow.keys }
  return { flow, speech: createFlowSpeech(flow), keys, taken: new Set(Object.values(keys)) }
}
