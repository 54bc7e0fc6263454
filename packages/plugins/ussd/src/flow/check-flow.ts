import type { Flow, FlowWords, Screen, Target, Text } from './flow.ts'
import { FlowInvalidError } from './flow-invalid-error.ts'
import { defaultKeys } from './flow-parts.ts'
import { longestQuote, placeholder } from './flow-speech.ts'
import { screenOf } from './flow-trail.ts'
import { bundledWords, bundledWordsOf, english } from './flow-words.ts'

/** @throws FlowInvalidError with every fault of a flow that cannot work */
export const checkFlow = (flow: Flow): void => {
  const problems = flowProblems(flow)
  if (problems.length > 0) throw new FlowInvalidError(problems)
}

const flowProblems = (flow: Flow): string[] => [
  ...startProblems(flow),
  ...languageProblems(flow),
  ...valueProblems(flow),
  ...keyProblems(flow),
  ...Object.entries(flow.screens).flatMap(([name, screen]) => [
    ...nameProblems(`screens.${name}`, name),
    ...(name === 'exit' ? ['screens.exit: that name stands for the end of the session; choose another'] : []),
    ...screenProblems(flow, `screens.${name}`, screen),
  ]),
]

const startProblems = (flow: Flow): string[] => {
  const start = screenOf(flow, flow.start)
  if (start === undefined) return [`start: ${missing(flow.start)}`]
  return start.kind === 'action' && start.effect !== 'read'
    ? [`start: "${flow.start}" is an action with an effect, which a dial alone must not have; begin with a screen`]
    : []
}

const languageProblems = (flow: Flow): string[] => {
  const languages = flow.languages ?? [english]
  const codes = languages.map(({ code }) => code)
  const words = Object.keys(bundledWords.en) as (keyof FlowWords)[]
  return [
    ...(languages.length === 0 ? ['languages: name at least one'] : []),
    ...codes
      .filter(code => !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code))
      .map(code => `languages: "${code}" is not a BCP 47 code such as "sw"`),
    ...codes.filter((code, index) => codes.indexOf(code) !== index).map(code => `languages: "${code}" is there twice`),
    ...words.flatMap(word => [
      ...textProblems(flow, `words.${word}`, flow.words?.[word]),
      ...codes
        .filter(code => !hasWord(flow.words?.[word], code) && bundledWordsOf(code) === undefined)
        .map(code => `words.${word}: says nothing in "${code}", for which no words are bundled`),
    ]),
  ]
}

const hasWord = (text: Text | undefined, code: string): boolean =>
  typeof text === 'string' || (text !== undefined && Object.hasOwn(text, code))

const valueProblems = (flow: Flow): string[] => {
  const secrets = new Set(
    Object.values(flow.screens).flatMap(screen => (screen.kind === 'secret' ? [screen.into] : [])),
  )
  const gathered = Object.entries(flow.screens).flatMap(([name, screen]) =>
    (screen.kind === 'input' || screen.kind === 'choice') && secrets.has(screen.into)
      ? [`screens.${name}.into: "${screen.into}" is the name of a secret; choose another`]
      : [],
  )
  const declared = Object.entries(flow.values ?? {}).flatMap(([name, { longest }]) => [
    ...nameProblems(`values.${name}`, name),
    ...(secrets.has(name) ? [`values.${name}: is the name of a secret, which no screen may show`] : []),
    ...(Number.isInteger(longest) && longest >= 1 && longest <= longestQuote
      ? []
      : [`values.${name}.longest: must be a whole number from 1 to ${longestQuote}, is ${longest}`]),
  ])
  return [...gathered, ...declared]
}

const keyProblems = (flow: Flow): string[] => {
  const keys = Object.entries({ ...defaultKeys, ...flow.keys })
  return keys.flatMap(([name, key], index) => [
    ...(/^\d{1,3}$/.test(key) ? [] : [`keys.${name}: must be 1 to 3 digits, is "${key}"`]),
    ...keys
      .slice(0, index)
      .filter(([, other]) => other === key)
      .map(([other]) => `keys.${name}: "${key}" is the key of ${other} already`),
  ])
}

const screenProblems = (flow: Flow, place: string, screen: Screen): string[] => {
  const target = (to: Target | undefined, where: string) => targetProblems(flow, `${place}.${where}`, to)
  const text = (words: Text | undefined, where: string) => textProblems(flow, `${place}.${where}`, words)
  const back = typeof screen.back === 'string' ? target(screen.back, 'back') : []
  switch (screen.kind) {
    case 'menu':
      return [
        ...back,
        ...text(screen.text, 'text'),
        ...(screen.options.length === 0 ? [`${place}.options: a menu needs at least one`] : []),
        ...screen.options.flatMap(({ label, to }, index) => [
          ...text(label, `options[${index}].label`),
          ...target(to, `options[${index}].to`),
        ]),
      ]
    case 'input':
    case 'secret':
      return [
        ...back,
        ...text(screen.text, 'text'),
        ...nameProblems(`${place}.into`, screen.into),
        ...target(screen.to, 'to'),
      ]
    case 'choice':
      return [
        ...back,
        ...text(screen.text, 'text'),
        ...text(screen.empty, 'empty'),
        ...nameProblems(`${place}.into`, screen.into),
        ...target(screen.to, 'to'),
      ]
    case 'confirm':
      return [...back, ...text(screen.text, 'text'), ...target(screen.yes, 'yes'), ...target(screen.no, 'no')]
    case 'message':
      return [...back, ...(typeof screen.text === 'function' ? [] : text(screen.text, 'text'))]
    case 'action':
      return [
        ...back,
        ...text(screen.late, 'late'),
        ...target(screen.failed, 'failed'),
        ...(screen.leadsTo.length === 0 ? [`${place}.leadsTo: name every screen that run may lead to`] : []),
        ...screen.leadsTo.flatMap((to, index) => target(to, `leadsTo[${index}]`)),
        ...(screen.timeLimitMs === undefined || (Number.isInteger(screen.timeLimitMs) && screen.timeLimitMs > 0)
          ? []
          : [`${place}.timeLimitMs: must be a whole number of milliseconds above 0, is ${screen.timeLimitMs}`]),
      ]
  }
}

const targetProblems = (flow: Flow, place: string, to: Target | undefined): string[] =>
  to === undefined || typeof to === 'function' || to === 'exit' || screenOf(flow, to) !== undefined
    ? []
    : [`${place}: ${missing(to)}`]

const textProblems = (flow: Flow, place: string, text: Text | undefined): string[] => {
  if (text === undefined) return []
  const versions = typeof text === 'string' ? [text] : Object.values(text)
  const names = new Set(versions.flatMap(words => Array.from(words.matchAll(placeholder), ([, name]) => name!)))
  return [
    ...(versions.length === 0 || versions.some(words => words.trim() === '') ? [`${place}: has no words`] : []),
    ...(versions.some(words => unprintable.test(words)) ? [`${place}: holds a control character`] : []),
    ...[...names]
      .filter(name => flow.values === undefined || !Object.hasOwn(flow.values, name))
      .map(name => `${place}: {${name}} is not declared; add it to the flow's values with its longest length`),
  ]
}

const unprintable = /[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/u

const nameProblems = (place: string, name: string): string[] =>
  /^[A-Za-z][\w-]{0,63}$/.test(name)
    ? []
    : [`${place}: "${name}" is not a name: a letter, then letters, digits, "_" and "-", at most 64 in all`]

const missing = (name: string): string => `no screen is called "${name}"`
